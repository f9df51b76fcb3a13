// Which review a command is about.
#pragma once

#include <string>

#include "base/result.h"
#include "review/review.h"

namespace ringwall::cli {

// By its name, or the newest of the workspace around the current folder.
Result<review::Review> choose_review(const std::string& name);

// One whose run goes on may be looked at, and not be settled.
Status refuse_going_on(const review::Review& review);

}  // namespace ringwall::cli
