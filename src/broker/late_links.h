// Folders of the watch in which something came that has no name worth a look. The kernel does not
// say whether it is a link: one listing for each folder, a moment later, does so for all of them.
#pragma once

#include <cstdint>
#include <unordered_set>
#include <vector>

#include "broker/tree_watch.h"
#include "broker/vet.h"

namespace ringwall::broker {

class LateLinks {
 public:
  LateLinks(const TreeWatch& watch, Vetter& vetter) : watch_(watch), vetter_(vetter) {}

  void note(int folder);  // its number in the watch
  bool are_due() const;
  // Milliseconds, as poll takes them, instead of `longest`.
  int wait_time(int longest) const;
  // Those whose time has come.
  void work(std::vector<Culprit>& culprits);

 private:
  const TreeWatch& watch_;
  Vetter& vetter_;
  std::unordered_set<int> folders_;
  int last_ = -1;
  int64_t due_ = INT64_MAX;  // by the monotonic clock
};

}  // namespace ringwall::broker
