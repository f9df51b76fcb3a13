// `ringwall run claude` where plain claude is a shim: what it stands for is run.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ringwall::cli {

// The command line of `ringwall run` with the agent itself and its profile in place of the shim;
// nothing if the command's first word is no shim. `command` is the end of `arguments`.
std::optional<std::vector<std::string>> past_shim(const std::vector<std::string>& arguments,
                                                  const std::vector<std::string>& command);

}  // namespace ringwall::cli
