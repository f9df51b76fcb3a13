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

// What git itself writes in its folder is nothing that a person reads file by file, and is told by
// its number: what it adds and changes, and objects that are gone. Not so what else is deleted in
// there, what can be run, and links.
struct GitFold {
  std::string folder;  // ".git", or ".git/objects" of deletions; empty: it is told by itself
  bool is_deletion = false;
};
GitFold fold_git(const changes::Change& change);

// One notion for all who say how much it is. Files; one that was renamed is neither added nor
// deleted, and folders and files with another time alone are told only where there is nothing else.
struct ChangeCounts {
  uint64_t added = 0, changed = 0, deleted = 0, renamed = 0;
  uint64_t folders = 0, times = 0;
  uint64_t bytes = 0;  // of what was added and changed
};
void count_change(const changes::Change& change, ChangeCounts& counts);
ChangeCounts count_changes(const std::vector<ReviewedTree>& trees);

}  // namespace ringwall::review
