// Commands in git's words: settings that name programs, aliases, and subcommands that run
// something.
#pragma once

#include <vector>

#include "shell/analysis.h"
#include "shell/carried.h"

namespace ringwall::shell {

void add_git_commands(const std::vector<Word>& words, std::vector<Carried>& all);

}  // namespace ringwall::shell
