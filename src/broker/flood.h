// While files come and go by the thousand, each wakes us on another processor, which costs whoever
// makes them more than the making. Then we look up less often.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/clock.h"

namespace ringwall::broker {

class Flood {
 public:
  // Told since the last question.
  void note(size_t events) { events_ += events; }

  // Were we woken so often of late that a nap is better? Naps go on until several in a row have
  // brought little: whoever makes thousands of files stops now and then.
  bool is_on(int64_t now = clock::monotonic()) {
    constexpr int64_t kTime = 4'000'000;  // nanoseconds in which we are woken
    constexpr int kWakes = 12;            // so often
    constexpr size_t kFew = 2;
    constexpr int kNaps = 8;
    size_t events = std::exchange(events_, 0);
    if (naps_ > 0) {
      naps_ = events > kFew ? kNaps : naps_ - 1;
      return true;
    }
    if (now - since_ > kTime) {
      since_ = now;
      wakes_ = 0;
    }
    if (++wakes_ <= kWakes) return false;
    naps_ = kNaps;
    wakes_ = 0;
    return true;
  }

 private:
  size_t events_ = 0;
  int64_t since_ = 0;
  int wakes_ = 0;
  int naps_ = 0;  // that may still bring little
};

}  // namespace ringwall::broker
