// What an interrupted rebase, am, cherry-pick or revert goes on by: git keeps it in files of the
// git folder, which git inside has to write, and obeys them when the person gives --continue
// outside, or shows them in the prompt. So each is judged by its text whenever it changes.
#pragma once

#include <optional>
#include <string_view>

#include "git/refusal.h"

namespace ringwall::git {

using TextJudge = std::optional<GitRefusal> (*)(std::string_view text);

// Of the file of this name in a git folder, such as "rebase-merge/git-rebase-todo"; null: git obeys
// nothing in it.
TextJudge judge_of_interrupted(std::string_view name);

}  // namespace ringwall::git
