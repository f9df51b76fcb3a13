// A user namespace of one's own, with one's own ids: there the owner of files may read them,
// whatever their modes say. Nothing else of the host is reached by it.
#pragma once

namespace ringwall {

// For a process with one thread. False if the host does not allow it.
bool enter_own_namespace();

}  // namespace ringwall
