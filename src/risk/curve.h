// A run's score over its time, as a row of so many values: for top.
#pragma once

#include <cstdint>
#include <vector>

#include "risk/replay.h"

namespace ringwall::risk {

// From the start until `now` (milliseconds of the run) in stretches of the same length: the highest
// score of the lines in each. Where none came it stays; after the last line it is what time has
// left of it.
std::vector<uint32_t> curve(const Replay& replay, int64_t now, size_t width);

}  // namespace ringwall::risk
