// The signals that Ringwall hands on to the command inside.
#pragma once

#include "base/fd.h"
#include "base/result.h"

namespace ringwall::processes {

// Signals that are forwarded are blocked and come by descriptor; before the launch, so that none is
// lost.
Result<Fd> take_signals();

}  // namespace ringwall::processes
