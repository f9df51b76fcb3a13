// Which run a person means, and whether anything stands against touching its trees.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "undo/kept_run.h"
#include "undo/manifest.h"
#include "undo/tree_look.h"

namespace ringwall::undo {

// By its id, or the newest of that name; null if there is none.
const KeptRun* find_run(const std::vector<KeptRun>& runs, const std::string& word);

// Without a word: the newest one that worked in the workspace which holds `folder`, did something
// to it and is over. An undo is meant only by its name. `passed_over` are folders such as
// Ringwall's own.
Result<KeptRun> choose_run(int undo, const std::vector<KeptRun>& runs, const std::string& word,
                           const std::string& folder, const std::set<file::Id>& passed_over);

// The name of a run that is going on and may change one of these trees, empty if there is none.
std::string find_run_at_work(int undo, const std::vector<KeptRun>& runs, const Manifest& manifest);

}  // namespace ringwall::undo
