// Git's index is written anew by a mere `git status`, with fresh times of files and with what git
// remembers to be quicker. That is no change that a person would look at.
#pragma once

#include "changes/change.h"
#include "review/same_content.h"

namespace ringwall::review {

// Both are open files named "index". False when the budget is used up.
bool is_refreshed_index(int was, const changes::EntryFacts& before, int is,
                        const changes::EntryFacts& after, ReadBudget& budget);

}  // namespace ringwall::review
