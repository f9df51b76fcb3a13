// Time, in nanoseconds.
#pragma once

#include <cstdint>
#include <ctime>

namespace ringwall::clock {

inline int64_t monotonic() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

inline int64_t wall_seconds() { return static_cast<int64_t>(time(nullptr)); }

}  // namespace ringwall::clock
