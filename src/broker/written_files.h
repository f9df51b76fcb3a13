// Files that were vetted and that somebody has open for writing. Who has mapped one changes it
// without a word: the kernel tells of it when the mapping ends. So such a file is looked at again
// every few milliseconds, for as long as it is open.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "broker/tree_watch.h"
#include "broker/vet.h"
#include "files/watched_tree.h"

namespace ringwall::broker {

class WrittenFiles {
 public:
  WrittenFiles(const std::vector<files::WatchedTree>& trees, TreeWatch& watch, Vetter& vetter)
      : trees_(trees), watch_(watch), vetter_(vetter) {}

  // A vetted file, by its number in the watch.
  void meet(int number, int file);
  // Somebody has opened it.
  void opened(int number);

  bool are_there() const { return !numbers_.empty(); }
  // Milliseconds, as poll takes them, instead of `longest`.
  int wait_time(int longest) const;
  // Looks at some of those whose time has come.
  void work(std::vector<Culprit>& culprits);

 private:
  void look(int number, std::vector<Culprit>& culprits);

  const std::vector<files::WatchedTree>& trees_;
  TreeWatch& watch_;
  Vetter& vetter_;
  std::set<int> numbers_;
  int last_ = -1;     // of this round
  int64_t next_ = 0;  // round, by the monotonic clock
};

// Also by a mapping. False where it cannot be known.
bool is_open_for_writing(int file);

}  // namespace ringwall::broker
