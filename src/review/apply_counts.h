// How much an apply takes over, counted as everywhere else (whole_review.h).
#pragma once

#include <vector>

#include "review/apply.h"
#include "review/apply_items.h"
#include "review/whole_review.h"

namespace ringwall::review {

ChangeCounts count_chosen(const std::vector<ApplyTree>& trees);
// Of these, what was done.
ChangeCounts count_done(const std::vector<ApplyTree>& trees, const Applied& applied);

}  // namespace ringwall::review
