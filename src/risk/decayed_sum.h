// A sum of points of which each counts half as much with every half-life that has gone by.
//
// Whole numbers only, and nothing is rounded on the way: points are kept in windows of a sixtieth
// of the half-life, and each window is weighed by its age when somebody looks. So the sum depends
// on what was added and when, and not on how often or in which order: the same today, in a replay
// and on another machine.
#pragma once

#include <array>
#include <cstdint>

namespace ringwall::risk {

inline constexpr uint64_t kPoint = 1000;  // sums are counted in thousandths of a point

class DecayedSum {
 public:
  // In seconds; a multiple of 60.
  explicit DecayedSum(int64_t half_life) : window_(half_life * 1000 / kWindowsInHalf) {}

  // Milliseconds since the start of the run. A time that goes back counts as the latest one so far:
  // what comes late weighs no less. Gives the window that it was put in.
  int64_t add(int64_t at, uint64_t thousandths);
  // What was put in that window is entered elsewhere.
  void take_back(int64_t window, uint64_t thousandths);
  uint64_t look(int64_t at) const;
  // What is left of so much that was added then.
  uint64_t left_of(uint64_t thousandths, int64_t added, int64_t at) const;

 private:
  static constexpr int64_t kWindowsInHalf = 60;
  static constexpr int64_t kHalves = 8;  // after that nothing is left
  static constexpr int64_t kWindows = kWindowsInHalf * kHalves;

  int64_t window_;  // milliseconds
  int64_t latest_ = 0;
  int64_t first_ = INT64_MAX;  // before it, nothing was added: most accounts stay empty for long
  std::array<uint64_t, kWindows> added_{};  // by number of window, as a ring
};

}  // namespace ringwall::risk
