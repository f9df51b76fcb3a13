// An apply as a whole: what it will replace is kept for undo, the changes are put in place, and it
// becomes an entry of the history. All of it lies in the folder of that entry (undo/put_back.h),
// which is locked as long as somebody is at work with it; `applying` in the review's folder has its
// id.
#pragma once

#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "review/apply.h"
#include "state/places.h"

namespace ringwall::session {

struct AppliedReview {
  review::Applied applied;
  bool is_review_gone = false;      // nothing was left of it
  std::vector<std::string> unkept;  // "PATH: why" of what undo cannot bring back
};

// With the review locked, and nothing interrupted. `folder` is the review's.
Result<AppliedReview> apply_review(const state::Places& places, const review::Review& review,
                                   int folder, std::vector<review::ApplyTree>& trees,
                                   const review::ApplyOptions& options);

// With the review locked. Empty trees: nothing was interrupted, or it had not begun.
Result<AppliedReview> finish_apply(const state::Places& places, const review::Review& review,
                                   int folder);
bool has_interrupted_apply(int folder);

// Applies and undos that were killed go on, before the history is looked at. Lines about each; what
// cannot be finished is among them, and holds up nothing else. Nothing is done to what somebody is
// at work with.
std::vector<std::string> finish_interrupted(const state::Places& places);
// The same before a run starts, if there are any: what is new may wait in the tree itself, where
// the run could change it.
void finish_killed(const state::Places& places);

}  // namespace ringwall::session
