// Counts how many files of before the run are gone.
//
// A file is known by the folder's number in the watch and its name there: folders above may be
// moved. It is gone when nothing lies under its name any more and it was not moved elsewhere. What
// a program saves by putting another file in its place, by deleting and making it anew or by moving
// it aside first, is not gone.
#pragma once

#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace ringwall::broker {

struct DeletionLimits {
  uint64_t files = UINT64_MAX;  // so many may go
  uint64_t share = UINT64_MAX;  // thousandths of all; above 1000: any
  bool are_set() const { return files != UINT64_MAX || share <= 1000; }
};

// Fewer are never too large a share: a small tree loses a few files every day.
inline constexpr uint64_t kLeastForShare = 20;

class DeletionCount {
 public:
  explicit DeletionCount(DeletionLimits limits) : limits_(limits) {}

  // Every file of this folder is one of before the run, unless it is made from now on, until the
  // folder was listed: `know` each of its files, then `finish`.
  void expect(int folder) { unlisted_.insert(folder); }
  void know(int folder, std::string_view name);
  void finish(int folder);

  // What the watch tells, in its order. Numbers of moves are the kernel's.
  void made(int folder, std::string_view name);
  void deleted(int folder, std::string_view name);
  void moved_away(int folder, std::string_view name, uint32_t move, int64_t now);
  // True: it is one of before the run.
  bool moved_here(int folder, std::string_view name, uint32_t move);

  // A file was moved to a folder that was not watched yet, and lies there: `is_old`, or else the
  // name, says that it is one of those that went away. True if so.
  bool found(int folder, std::string_view name, bool is_old);
  bool awaits_moved() const { return !moving_.empty(); }
  // What was moved away and is found nowhere for a while is gone.
  void settle(int64_t now);

  // While everything inside stands, what comes and goes is the person's.
  void stand(bool stands) { stands_ = stands; }

  // After events were lost: `see` every file that lies there, then `end_recount`. Those not seen
  // are gone, but for as many as were seen in places where none of before the run was known.
  void begin_recount() { seen_.clear(), seen_elsewhere_ = 0; }
  bool is_known(int folder, std::string_view name) const;
  void see(int folder, std::string_view name);
  void see_elsewhere(int folder, std::string_view name);
  void end_recount();

  uint64_t gone() const { return gone_.size(); }
  uint64_t all() const;  // of before the run, or of the last time it began again
  bool is_over_files() const { return limits_.files != UINT64_MAX && gone() > limits_.files; }
  bool is_over_share() const;
  bool is_over() const { return is_over_files() || is_over_share(); }
  // The person lets it go on: what is gone counts no more.
  void begin_again() { gone_.clear(); }

 private:
  // Of a folder and a name. Two files that share one by chance are one file less: there are 2^64.
  using Key = uint64_t;
  struct Moving {
    Key home;
    std::string name;
    int64_t since;
  };
  static Key key_of(int folder, std::string_view name);
  void lose(Key home);
  void settle_at(Key at, Key home);
  bool comes_back(Key key);

  DeletionLimits limits_;
  bool stands_ = false;
  // Where a file of before the run lay then is its home.
  boost::unordered_flat_set<Key> at_home_;
  std::unordered_map<Key, Key> elsewhere_;  // where it lies: its home
  std::unordered_map<Key, Key> away_;       // the other way round
  std::unordered_map<uint32_t, Moving> moving_;
  std::unordered_set<Key> gone_;  // homes
  std::unordered_set<int> unlisted_;
  std::unordered_set<Key> made_;  // in folders that are not listed yet
  boost::unordered_flat_set<Key> seen_;
  uint64_t seen_elsewhere_ = 0;
};

}  // namespace ringwall::broker
