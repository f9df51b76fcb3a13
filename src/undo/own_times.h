// An undo gives files another ctime that are as a run has left them: what it moved and put back
// when it could not go on, the other names of a file that lost one, and what comes back when an
// undo of that run is undone. That is noted with the run, so that it is not taken for somebody's
// change.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "changes/entry.h"

namespace ringwall::undo {

class OwnTimes {
 public:
  // Of the run of this folder. What cannot be read is not known.
  static OwnTimes read(int run_folder);
  Status write(int run_folder) const;

  void note(uint32_t tree, const std::string& path, const changes::EntryFacts& now);
  bool has(uint32_t tree, const std::string& path, uint64_t inode, int64_t changed) const;

 private:
  struct Time {
    uint64_t inode = 0;
    int64_t changed = 0;  // its ctime
  };
  std::map<std::pair<uint32_t, std::string>, Time> times_;
};

// What lay at a path, as the run has left it.
struct SeenAsLeft {
  uint32_t tree = 0;
  std::string path;
  changes::EntryFacts facts;
};
// Of these, what has another ctime now and is the same otherwise.
Status note_own_times(int run_folder, const std::vector<Fd>& trees,
                      const std::vector<SeenAsLeft>& before);

// After the undo of `folder`, with its transactions in `journals`, one for each tree. If it has
// undone another undo, and that one had replaced what a run left, this is there again.
Status note_given_back(int undo, int folder, const std::vector<Fd>& trees,
                       const std::vector<Fd>& journals);

}  // namespace ringwall::undo
