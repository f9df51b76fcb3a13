// The end of a run under review: what it has changed is told, and waits for the person.
#pragma once

#include "session/run.h"

namespace ringwall::session {

// After everything inside has ended. A run that changed nothing leaves no review.
void end_review(const RunHooks& hooks, const prepare::Preparation& prepared);

// Of a run that was never started.
void drop_unused_review(const prepare::Preparation& prepared);

}  // namespace ringwall::session
