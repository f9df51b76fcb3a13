// Programs whose subcommand stands behind options of their own: git -C x push, docker -H h run.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "shell/analysis.h"
#include "shell/options.h"

namespace ringwall::shell {

// The options that the program takes before its subcommand; nothing if it has no subcommands.
std::optional<OptionShape> global_options_of(std::string_view program);

// The number of the subcommand among the words: 3 of `git -C . push`. 1 if nothing stands before
// it.
size_t first_behind_global_options(const std::vector<Word>& words);

// `git push` for `git -C . push`; other programs' words stay as they are.
std::vector<Word> without_global_options(const Act& act);
std::vector<Word> without_global_options(const std::vector<Word>& words);

}  // namespace ringwall::shell
