// Commands in a text that cannot be parsed: cut at everything that could end a command, quotes
// taken away, what stands in quotes once more as a command of its own. Finds more than there is, so
// nothing may be allowed by it. Takes time by the text's length alone.
#pragma once

#include <string_view>
#include <vector>

#include "shell/analysis.h"

namespace ringwall::shell {

struct RoughLook {
  std::vector<std::vector<Word>> commands;  // each once
  bool is_whole = true;                     // false: there are more than anybody writes
};

RoughLook rough_commands(std::string_view text);

}  // namespace ringwall::shell
