// Opens what lies in a tree that others write: no link is followed, no other mount entered, nobody
// waited for, and paths may be longer than the kernel takes at once.
#pragma once

#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace ringwall::review {

// The errno is the kernel's; ELOOP: a link on the way, EXDEV: another mount.
Result<Fd> open_in_tree(int tree, const std::string& relative, int flags);

// A file with content. Anything else is an error and is not opened for reading.
Result<Fd> open_content(int tree, const std::string& relative);

}  // namespace ringwall::review
