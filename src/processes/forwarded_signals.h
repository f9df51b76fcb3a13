// The signals that Ringwall hands on to the command inside.
#pragma once

#include <optional>

#include "base/fd.h"
#include "base/result.h"

namespace ringwall::processes {

// Signals that are forwarded are blocked and come by descriptor; before the launch, so that none is
// lost. What the caller ignores stays ignored.
Result<Fd> take_signals();

// Reads one of them: if it wants an end, which it is.
std::optional<int> take_end(int signals);

// After SIGTSTP: stops this process, until it is let go on. At once where nobody could do that.
void stop_with_the_job();

}  // namespace ringwall::processes
