// While files come and go by the thousand, each wakes us on another processor, which costs whoever
// makes them more than the making. Then we look up less often.
#pragma once

#include <cstdint>

#include "base/clock.h"

namespace ringwall::files {

class Flood {
 public:
  // We were woken: so often of late that a nap is better?
  bool is_on() {
    constexpr int64_t kTime = 4'000'000;  // nanoseconds in which we are woken
    constexpr int kWakes = 16;            // so often
    int64_t now = clock::monotonic();
    if (now - since_ > kTime) {
      since_ = now;
      wakes_ = 0;
    }
    return ++wakes_ > kWakes;
  }

 private:
  int64_t since_ = 0;
  int wakes_ = 0;
};

}  // namespace ringwall::files
