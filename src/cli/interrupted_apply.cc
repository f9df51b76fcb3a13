#include "cli/interrupted_apply.h"

#include <algorithm>
#include <cstdio>

#include "base/text.h"
#include "session/apply_review.h"

namespace ringwall::cli {

size_t count_outcomes(const review::Applied& applied, changes::Outcome outcome) {
  size_t count = 0;
  for (const review::AppliedTree& tree : applied.trees) {
    count += static_cast<size_t>(
        std::ranges::count(tree.report, outcome, &changes::StepReport::outcome));
  }
  return count;
}

Result<LockedReview> lock_and_finish(const review::Review& review) {
  TRY_ASSIGN(state::Caller caller, state::read_caller());
  LockedReview locked;
  locked.places = state::find_places(caller, getenv("XDG_RUNTIME_DIR"));
  std::string reviews = state::reviews_folder(locked.places);
  TRY_ASSIGN(locked.folder, review::open_review(reviews, review.name));
  TRY_ASSIGN(locked.lock, review::lock_review(locked.folder.get()));
  TRY_ASSIGN(session::AppliedReview finished,
             session::finish_apply(locked.places, review, locked.folder.get()));
  locked.is_gone = finished.is_review_gone;
  if (finished.applied.trees.empty()) return locked;
  fprintf(stderr, "ringwall: finished an apply of %s that was interrupted: %zu changes, %zu not\n",
          text::quote(review.name).c_str(),
          count_outcomes(finished.applied, changes::Outcome::done),
          count_outcomes(finished.applied, changes::Outcome::conflict) +
              count_outcomes(finished.applied, changes::Outcome::failed));
  for (const std::string& unkept : finished.unkept)
    fprintf(stderr, "ringwall: cannot be undone: %s\n", unkept.c_str());
  return locked;
}

Result<bool> finish_interrupted_apply(const review::Review& review) {
  TRY_ASSIGN(state::Caller caller, state::read_caller());
  state::Places places = state::find_places(caller, getenv("XDG_RUNTIME_DIR"));
  TRY_ASSIGN(Fd folder, review::open_review(state::reviews_folder(places), review.name));
  // Mostly there is none, and then nobody is kept from looking by who applies just now.
  if (!session::has_interrupted_apply(folder.get())) return false;
  TRY_ASSIGN(LockedReview locked, lock_and_finish(review));
  return locked.is_gone;
}

void tell_finished(const state::Places& places) {
  for (const std::string& line : session::finish_interrupted(places))
    fprintf(stderr, "ringwall: %s\n", line.c_str());
}

}  // namespace ringwall::cli
