// Whether a file is one that the run hides.
#pragma once

#include <string>

namespace ringwall::gate {

// By what sandbox/mounts.cc puts over each hidden file: an empty one that nobody may open, at the
// root of a mount of its own. Outside of a run there is none. A look, and no attempt to open.
bool is_masked(const std::string& path);

}  // namespace ringwall::gate
