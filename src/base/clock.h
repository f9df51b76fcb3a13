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

// By the wall clock, as it goes now.
inline int64_t start_of_machine() {
  timespec wall, since;
  clock_gettime(CLOCK_REALTIME, &wall);
  clock_gettime(CLOCK_BOOTTIME, &since);
  return (wall.tv_sec - since.tv_sec) * 1'000'000'000 + wall.tv_nsec - since.tv_nsec;
}

inline int64_t wall_seconds() { return static_cast<int64_t>(time(nullptr)); }

}  // namespace ringwall::clock
