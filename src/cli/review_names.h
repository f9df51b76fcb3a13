// What is protected in the trees of a review: by the table, by the policy as it is now, and by what
// the run itself went by: its command line, and what git's settings named.
#pragma once

#include "files/protected.h"
#include "review/review.h"

namespace ringwall::cli {

Result<files::ProtectedNames> protected_names_of(const review::Review& review);

}  // namespace ringwall::cli
