// Takes over what a person has chosen of a review into the real trees, as one transaction each
// (changes/transaction.h), and gives up what was taken over in the review. What was replaced is
// kept for undo.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "changes/transaction.h"
#include "review/apply_items.h"
#include "review/review.h"

namespace ringwall::review {

// Where it is done: the review's folder, and those of all reviews and of what is kept.
struct ApplyPlaces {
  std::string reviews;
  std::string kept;  // undo/applied of Ringwall's state
  int folder = -1;
};

// Held while a review is applied or removed: one at a time.
Result<Fd> lock_review(int folder);

struct AppliedTree {
  ReviewTree tree;
  changes::Report report;
};

struct Applied {
  std::vector<AppliedTree> trees;
  std::string kept;             // folder of what was replaced; empty: nothing was
  bool is_review_gone = false;  // nothing was left of it
};

// All is put back of a tree in which something has come between, unless `leaves_out_conflicts`.
struct ApplyOptions {
  bool leaves_out_conflicts = false;
  std::function<int(std::string_view act)> before_act = {};  // for tests, as in transactions
};
Result<Applied> apply_chosen(const ApplyPlaces& places, const Review& review,
                             std::vector<ApplyTree>& trees, const ApplyOptions& options);

// Finishes an apply that was interrupted. Empty trees: there was none, or it had not begun.
Result<Applied> finish_interrupted(const ApplyPlaces& places, const Review& review);

}  // namespace ringwall::review
