#include "risk/curve.h"

#include <algorithm>

namespace ringwall::risk {

std::vector<uint32_t> curve(const Replay& replay, int64_t now, size_t width) {
  const std::vector<ReplayedPoint>& points = replay.points();
  int64_t end = std::max(now, replay.end());
  std::vector<uint32_t> out;
  size_t next = 0;
  for (size_t i = 1; i <= width; i++) {
    int64_t until = end * static_cast<int64_t>(i) / static_cast<int64_t>(width);
    uint32_t highest = next > 0 ? points[next - 1].reading.score : 0;
    // The score can be asked for any moment after its last line, and for none before.
    if (next == points.size()) highest = replay.score().look(until).score;
    for (; next < points.size() && points[next].at <= until; next++)
      highest = std::max(highest, points[next].reading.score);
    out.push_back(highest);
  }
  return out;
}

}  // namespace ringwall::risk
