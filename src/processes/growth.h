// How much a run has added to folders on disk since its start: bytes, and files of any kind, since
// a disk can run out of either. There is no quota to ask for without root, so this looks: at what
// the filesystem has left every time, which costs microseconds, and at the folders themselves only
// when that has shrunk by as much as is still allowed.
//
// The folders are the agent's: nothing is opened there but folders, no link is followed, no name is
// printed.
#pragma once

#include <dirent.h>
#include <sys/stat.h>
#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/fd.h"

namespace ringwall::processes {

// False where asking could take for ever: a filesystem of another machine or program.
bool can_watch_growth(const std::string& folder);

struct Amount {
  uint64_t bytes = 0;
  uint64_t files = 0;

  // Of either.
  bool reaches(const Amount& bound) const { return bytes >= bound.bytes || files >= bound.files; }
};

// Sums up what was written below some folders since a moment, in small steps.
class WrittenSince {
 public:
  // `init` leads to files that were removed but are still open.
  WrittenSince(const std::vector<Fd>& roots, int64_t since_seconds, pid_t init);

  // Goes on until `deadline` (monotonic). True if it is done.
  bool go_on(int64_t deadline);

  Amount sum() const { return {bytes_, shares_ / kWhole}; }
  // There are places that it could not look at.
  bool unsure() const { return unsure_; }

 private:
  struct Close {
    void operator()(DIR* dir) const { closedir(dir); }
  };
  using Folder = std::unique_ptr<DIR, Close>;
  static constexpr uint64_t kWhole = 1 << 20;

  void start_root();
  void enter(int parent, const char* name, bool callers);
  void take(int folder, const char* name);
  void add(const struct statx& facts);
  void open_next_table();
  void take_open_file(const char* name);
  void take_next();

  int64_t since_;
  std::set<std::pair<unsigned, unsigned>> devices_;  // of the roots; no other is entered
  std::vector<Folder> way_;                          // from a root to where it is now
  std::vector<int> roots_;
  std::vector<pid_t> processes_;
  std::vector<std::string> tables_;  // of open files, of the last process
  Folder table_;
  std::set<uint64_t> removed_;  // inodes, since processes share open files
  uint64_t bytes_ = 0;
  uint64_t shares_ = 0;  // of files: each of two names counts for half
  bool unsure_ = false;
};

class Growth {
 public:
  // `most` bytes, kNoLimit for no watch, 0 for three quarters of what is free now. Files are as
  // many as blocks of 4K fit into that, and never so few that ordinary work stops.
  // `only_lowers`: never more than the default would be.
  Growth(const std::vector<std::string>& folders, uint64_t most, pid_t init,
         bool only_lowers = false);

  bool is_watched() const { return !folders_.empty(); }

  // Looks for `nanoseconds` at most. True if more was added than is allowed; from then on as much
  // again is allowed, for a person who lets the run go on.
  bool look(int64_t nanoseconds);

  // When it was: what was added, and what was allowed, 0 for what is still within its bound.
  const Amount& grown() const { return grown_; }
  const Amount& exceeded() const { return exceeded_; }

  // What may still be added before the next look matters; 0 in the middle of a walk.
  uint64_t room() const;
  bool is_walking() const { return walk_ != nullptr; }

  // In the middle of a walk the run may have added twice what it may: it should stand still until
  // it is known who it was.
  bool wants_stillness() const;

 private:
  struct Place {
    Fd folder;
    uint64_t filesystem;
    Amount used;  // the least that was seen since the last walk
    Amount least;
  };
  void open_folders();
  void look_at_filesystems();
  void start_walk();
  bool is_nearly_full() const;
  bool reached(const Amount& written);

  std::vector<std::string> folders_;
  std::vector<Fd> roots_;      // opened at the first look, since short runs need none
  std::vector<Place> places_;  // one per filesystem
  bool opened_ = false;
  pid_t init_;
  int64_t started_;  // monotonic
  int64_t since_;    // by the clock of files
  Amount step_;
  Amount most_;
  Amount allowed_;      // growth of the filesystems before the next walk
  Amount since_walk_;   // their growth since the last one
  Amount before_walk_;  // what led to it
  Amount peak_;         // their most growth since the start
  Amount free_at_start_;
  Amount free_;
  Amount grown_;
  Amount exceeded_;
  std::unique_ptr<WrittenSince> walk_;
};

}  // namespace ringwall::processes
