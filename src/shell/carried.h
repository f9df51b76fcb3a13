// Commands that programs carry in their options: find -exec, git -c alias.x='!…', tar --to-command
// …
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shell/analysis.h"

namespace ringwall::shell {

struct Carried {
  std::string name;          // for Act::through: "find -exec"
  std::vector<Word> words;   // a command in words, or …
  std::optional<Word> code;  // … shell code
  bool certain = true;       // false: it may be run, or it may be something else
};

std::vector<Carried> carried_commands(const std::vector<Word>& words);

}  // namespace ringwall::shell
