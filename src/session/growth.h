// How much a run has added to folders on disk since its start. There is no quota to ask for without
// root, so this looks: at the filesystem's free space every time, which costs microseconds, and at
// the folders themselves only when that has shrunk by as much as is still allowed.
//
// The folders are the agent's: nothing is opened there but folders, no link is followed, no name is
// printed.
#pragma once

#include <dirent.h>
#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/fd.h"

namespace ringwall::session {

// False where asking could take for ever: a filesystem of another machine or program.
bool can_watch_growth(const std::string& folder);

// Sums up what was written below some folders since a moment, in small steps.
class WrittenSince {
 public:
  // `init` leads to files that were removed but are still open.
  WrittenSince(const std::vector<Fd>& roots, int64_t since_seconds, pid_t init);

  // Goes on until `deadline` (monotonic). True if it is done.
  bool go_on(int64_t deadline);

  uint64_t bytes() const { return bytes_; }
  // There are places that it could not look at.
  bool unsure() const { return unsure_; }

 private:
  struct Close {
    void operator()(DIR* dir) const { closedir(dir); }
  };
  using Folder = std::unique_ptr<DIR, Close>;

  void enter(int parent, const char* name, bool callers);
  void take(int folder, const char* name);
  void take_open_files(pid_t process);

  int64_t since_;
  std::set<std::pair<unsigned, unsigned>> devices_;  // of the roots; no other is entered
  std::vector<Folder> way_;                          // from a root to where it is now
  std::vector<int> roots_;
  std::vector<pid_t> processes_;
  std::set<uint64_t> removed_;  // inodes, since processes share open files
  uint64_t bytes_ = 0;
  bool unsure_ = false;
};

class Growth {
 public:
  // `most` bytes, kNoLimit for no watch, 0 for three quarters of what is free now.
  Growth(const std::vector<std::string>& folders, uint64_t most, pid_t init);

  bool is_watched() const { return !folders_.empty(); }

  // Looks for `nanoseconds` at most. True if more was added than is allowed; from then on as much
  // again is allowed, for a person who lets the run go on.
  bool look(int64_t nanoseconds);

  // When it was: what was added, and what was allowed.
  uint64_t grown() const { return grown_; }
  uint64_t exceeded() const { return exceeded_; }

  // What may still be added before the next look matters; 0 in the middle of a walk.
  uint64_t room() const;
  bool is_walking() const { return walk_ != nullptr; }

 private:
  struct Place {
    Fd folder;
    uint64_t filesystem;
    uint64_t used;  // the least that was seen since the last walk
    uint64_t least;
  };
  void open_folders();
  void look_at_filesystems();
  bool is_nearly_full() const;
  bool reached(uint64_t written);

  std::vector<std::string> folders_;
  std::vector<Fd> roots_;      // opened at the first look, since short runs need none
  std::vector<Place> places_;  // one per filesystem
  bool opened_ = false;
  pid_t init_;
  int64_t since_;
  uint64_t step_ = 0;
  uint64_t most_ = 0;
  uint64_t allowed_ = 0;     // growth of the filesystems before the next walk
  uint64_t since_walk_ = 0;  // their growth since the last one
  uint64_t peak_ = 0;        // their most growth since the start
  uint64_t free_at_start_ = 0;
  uint64_t free_ = 0;
  uint64_t grown_ = 0;
  uint64_t exceeded_ = 0;
  std::unique_ptr<WrittenSince> walk_;
};

}  // namespace ringwall::session
