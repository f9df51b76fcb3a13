// Takes over what a person has chosen of a review into the real trees, as one transaction each
// (changes/transaction.h), and gives up what was taken over in the review. Whoever calls has kept
// before what will be replaced, and notes afterwards what was done (session/apply_review.h).
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

// Where it is done: the review's folder, and one for the journals, in which `N` is that of tree N.
struct ApplyPlaces {
  int folder = -1;
  int journals = -1;
};

// Held while a review is applied or removed: one at a time.
Result<Fd> lock_review(int folder);

struct AppliedTree {
  ReviewTree tree;
  changes::Report report;
};

struct Applied {
  std::vector<AppliedTree> trees;
  bool is_whole = false;  // everything of the review was taken over
};

// All is put back of a tree in which something has come between, unless `leaves_out_conflicts`.
struct ApplyOptions {
  bool leaves_out_conflicts = false;
  std::function<int(std::string_view act)> before_act = {};  // for tests, as in transactions
};
// After an error the journals tell whether something was begun.
Result<Applied> apply_chosen(const ApplyPlaces& places, std::vector<ApplyTree>& trees,
                             const ApplyOptions& options);

// Goes on with an apply that was interrupted. Empty trees: it had not begun.
Result<Applied> resume_apply(const ApplyPlaces& places, const Review& review);

// When all is noted: the review goes if nothing is left of it. True if so.
Result<bool> close_applied(const std::string& reviews, int folder, const Review& review,
                           const Applied& applied);

}  // namespace ringwall::review
