// P32: processes that do not want to end.
#pragma once

#include <cstddef>

namespace ringwall::probes {

// One that is stopped, one that is traced and stopped by its tracer, one that goes on by forking,
// and their parent, which like all of them ignores every signal that can be ignored. Each writes
// "up" to descriptor 1 and keeps it. Does not return.
[[noreturn]] void run_stubborn();

inline constexpr size_t kStubbornProcesses = 5;  // that write "up"

}  // namespace ringwall::probes
