// A person's own script at an agent's plain name, which starts another copy of the agent: inside a
// run that copy has to be there too.
#pragma once

#include <string>
#include <vector>

#include "install/find_copies.h"

namespace ringwall::cli {

// What has to be shown, read-only, so that `script` can start those of the copies that it names.
// Nothing if it is no script.
std::vector<std::string> paths_for_wrapper(const std::string& script,
                                           const std::vector<install::Copy>& copies,
                                           const std::string& home);

}  // namespace ringwall::cli
