// A whole review at a look: the changes of each tree, and what has to be said about them first.
#pragma once

#include <vector>

#include "review/layer_changes.h"
#include "review/review.h"
#include "review/runs_outside.h"

namespace ringwall::review {

struct ReviewedTree {
  ReviewTree tree;
  Fd upper, real;
  LayerChanges found;
  std::vector<RunsOutside> outside;
};

// `folder` is the review's own.
Result<std::vector<ReviewedTree>> read_whole_review(int folder, const Review& review,
                                                    const files::ProtectedNames& names);

// As a person calls it: relative in the workspace, absolute in other trees.
std::string shown_path(const Review& review, const ReviewTree& tree, const std::string& path);

// The folder called .git that `path` is or lies in; empty: none. What git itself keeps there is
// nothing that a person reads file by file.
std::string git_folder_of(const std::string& path, const changes::EntryFacts& facts);

// Files, folders not counted; one that was renamed is neither added nor deleted.
struct ChangeCounts {
  uint64_t added = 0, changed = 0, deleted = 0, renamed = 0;
  uint64_t bytes = 0;  // of what was added and changed
};
ChangeCounts count_changes(const std::vector<ReviewedTree>& trees);

}  // namespace ringwall::review
