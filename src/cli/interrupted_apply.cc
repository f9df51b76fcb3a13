#include "cli/interrupted_apply.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>

#include "base/text.h"
#include "cli/keep_applied.h"
#include "cli/output.h"
#include "session/places.h"

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
  TRY_ASSIGN(session::Caller caller, session::read_caller());
  session::Places places = session::find_places(caller, getenv("XDG_RUNTIME_DIR"));
  LockedReview locked;
  std::string reviews = session::reviews_folder(places);
  TRY_ASSIGN(locked.folder, review::open_review(reviews, review.name));
  TRY_ASSIGN(locked.lock, review::lock_review(locked.folder.get()));
  locked.places = {reviews, applied_folder(places), locked.folder.get()};
  TRY_ASSIGN(review::Applied finished, review::finish_interrupted(locked.places, review));
  if (finished.trees.empty()) return locked;
  fprintf(stderr, "ringwall: finished an apply of %s that was interrupted: %zu changes, %zu not\n",
          text::quote(review.name).c_str(), count_outcomes(finished, changes::Outcome::done),
          count_outcomes(finished, changes::Outcome::conflict) +
              count_outcomes(finished, changes::Outcome::failed));
  locked.is_gone = finished.is_review_gone;
  if (Status kept = keep_applied(places); !kept) complain(kept.error());
  return locked;
}

Result<bool> finish_interrupted_apply(const review::Review& review) {
  TRY_ASSIGN(session::Caller caller, session::read_caller());
  session::Places places = session::find_places(caller, getenv("XDG_RUNTIME_DIR"));
  TRY_ASSIGN(Fd folder, review::open_review(session::reviews_folder(places), review.name));
  // Mostly there is none, and then nobody is kept from looking by who applies just now.
  if (faccessat(folder.get(), "apply", F_OK, 0) < 0) return false;
  TRY_ASSIGN(LockedReview locked, lock_and_finish(review));
  return locked.is_gone;
}

}  // namespace ringwall::cli
