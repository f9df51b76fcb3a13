// How fast this machine ends processes, whoever made them. A promise about time is about Ringwall:
// an emulated machine, or one that is overloaded, must not look like a wall that is missing.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/result.h"

namespace ringwall::verify {

// Makes that many ordinary processes, kills them all, and gives the nanoseconds until the last one
// was gone.
Result<int64_t> time_ending_of_plain_processes(size_t count);

// The nanoseconds in which a run must be gone: a second, and on a machine where plain processes
// take so long that no second could do, as much more as they need.
int64_t time_to_be_gone(int64_t plain_ending);

// The same for what was planted: half a second, in which each plant that is seen stops every
// process of the run and lets it go on.
int64_t time_to_take_away(int64_t plain_ending);

}  // namespace ringwall::verify
