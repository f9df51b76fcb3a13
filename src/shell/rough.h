// Commands in a text that cannot be parsed: cut at everything that could end a command, quotes
// taken away. Finds more than there is, so nothing may be allowed by it.
#pragma once

#include <string_view>
#include <vector>

#include "shell/analysis.h"

namespace ringwall::shell {

std::vector<std::vector<Word>> rough_commands(std::string_view text);

}  // namespace ringwall::shell
