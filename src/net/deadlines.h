// Who may wait how long. Each has one deadline at most, and leaves nothing behind: whoever comes
// and goes, however often, takes no memory here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

namespace ringwall::net {

class Deadlines {
 public:
  // Instead of the one before.
  void set(uint64_t whom, int64_t when);
  void drop(uint64_t whom);

  // Milliseconds until the next one, -1: there is none.
  int patience(int64_t now) const;
  // Somebody whose time has come; the deadline is gone then.
  std::optional<uint64_t> take_due(int64_t now);
  size_t size() const { return by_time_.size(); }

 private:
  std::set<std::pair<int64_t, uint64_t>> by_time_;
  std::unordered_map<uint64_t, int64_t> times_;
};

}  // namespace ringwall::net
