// A review as apply works with it: locked, and what an interrupted apply has left is finished.
#pragma once

#include "base/fd.h"
#include "base/result.h"
#include "review/apply.h"
#include "review/review.h"
#include "state/places.h"

namespace ringwall::cli {

struct LockedReview {
  Fd folder, lock;
  state::Places places;
  bool is_gone = false;  // it was finished just now, and nothing was left
};

// Says on stderr what was finished.
Result<LockedReview> lock_and_finish(const review::Review& review);

// For those who only look: true if nothing of the review is left.
Result<bool> finish_interrupted_apply(const review::Review& review);

// Before the history is looked at: says on stderr what was finished, and what could not be.
void tell_finished(const state::Places& places);

// Paths of a report that have an outcome.
size_t count_outcomes(const review::Applied& applied, changes::Outcome outcome);

}  // namespace ringwall::cli
