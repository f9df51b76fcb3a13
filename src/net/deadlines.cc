#include "net/deadlines.h"

namespace ringwall::net {

void Deadlines::set(uint64_t whom, int64_t when) {
  drop(whom);
  times_[whom] = when;
  by_time_.emplace(when, whom);
}

void Deadlines::drop(uint64_t whom) {
  auto found = times_.find(whom);
  if (found == times_.end()) return;
  by_time_.erase({found->second, whom});
  times_.erase(found);
}

int Deadlines::patience(int64_t now) const {
  if (by_time_.empty()) return -1;
  int64_t left = by_time_.begin()->first - now;
  return left <= 0 ? 0 : static_cast<int>(left / 1'000'000) + 1;
}

std::optional<uint64_t> Deadlines::take_due(int64_t now) {
  if (by_time_.empty() || by_time_.begin()->first > now) return std::nullopt;
  uint64_t whom = by_time_.begin()->second;
  drop(whom);
  return whom;
}

}  // namespace ringwall::net
