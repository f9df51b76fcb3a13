// Finds the unix sockets in a granted tree: connect() works through a read-only mount, so each must
// be masked. Looks at directory entries alone; opens no file, follows no link.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace ringwall::sandbox {

// Absolute paths of the sockets below `tree`. Folders that the caller cannot read are passed over:
// the inside, with the same id, cannot look up a name in them either.
Result<std::vector<std::string>> find_sockets(const std::string& tree);

}  // namespace ringwall::sandbox
