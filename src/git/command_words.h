// The words of a command in git's settings that may name a file of the tree. No shell: what one
// would make of the command is not known, so each word is taken for every path that it may be.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ringwall::git {

struct CommandWord {
  std::string text;
  // Behind what a shell fills in: in `$(git rev-parse --show-toplevel)/x` it is "/x", and no
  // absolute path.
  bool follows_value = false;
};

std::vector<CommandWord> words_of(std::string_view command);

// The word as the person may mean it from the top of the tree, as from any folder in it: itself,
// and what stands behind a value. Empty ones are left out.
std::vector<std::string> relative_meanings(const CommandWord& word);

}  // namespace ringwall::git
