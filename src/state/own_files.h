// Files of Ringwall's that a person may have in a folder which a run may change: its programs, in a
// checkout, and what `ringwall install` has put into a home, such as the shims of a Node version.
// Who could change them would decide over what is started outside.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "state/places.h"

namespace ringwall::state {

// Absolute paths, each ended by a zero byte: below the state folder, written by `ringwall install`.
inline constexpr const char* kInstalledPaths = "install/paths";

// Patterns as in files.protect for those that lie, or would lie, in `trees`. A list that is there
// and cannot be read is an error: what it names could not be protected.
Result<std::vector<std::string>> patterns_of_own_files(const std::vector<std::string>& trees,
                                                       const Places& places);

}  // namespace ringwall::state
