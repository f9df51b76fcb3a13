// The brake on deletions: says when a run has deleted more files of before it than it may.
//
// It lists the trees once, in the background, so that it knows what was there, and hears through
// the watch what goes. Folders that packages and builds fill, what the .gitignore files of the
// start ignore, and what lies in git folders do not count.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/folder_reader.h"
#include "broker/broker_protocol.h"
#include "broker/deletion_count.h"
#include "broker/tree_watch.h"
#include "files/ignore_rules.h"
#include "files/watched_tree.h"

namespace ringwall::broker {

// Nothing in this folder counts: packages, builds and git fill and empty it.
bool is_emptied_freely(std::string_view folder);
// The same where it is known of the folder around it: a deep tree is told in as many steps as it
// has folders.
bool is_emptied_freely(std::string_view folder, bool is_one_around);

class DeletionBrake {
 public:
  DeletionBrake(DeletionLimits limits, const std::vector<files::WatchedTree>& trees,
                TreeWatch& watch);

  // How a folder of the start is to be watched.
  Departures departures_from(bool is_free) const;
  // A folder of the start, by its number in the watch. From the top down.
  void expect(int folder, const std::string& path, bool is_free);
  // Any folder that is met while the run goes on.
  void meet(int number, int folder);

  void note(const Appeared& one);
  void end_batch(bool lost);

  // There are folders of the start to be listed; `work` lists some.
  bool has_work() const { return next_ < expected_.size(); }
  void work();
  // It will have to be asked again in a while, though nothing happens.
  bool awaits() const { return count_.awaits_moved() || git_since_ != 0; }
  // INT64_MAX: nobody inside is left, and nobody waited for.
  void settle(int64_t now);

  // A share is not judged while git is at work, for a while: a rebase takes away what it brings
  // back commit by commit.
  bool is_over();
  // While everything inside stands: counts by what lies there. Files that were moved to and fro
  // faster than the watch could follow are found again.
  bool is_really_over();
  bool is_filling() const { return has_lost_; }  // the last batch had some

  // What was deleted. Everything inside stands from now on, until the person lets it go on: from
  // there it counts anew.
  BrokerNotice take_notice();
  void go_on() { set_standing(false); }

 private:
  void set_standing(bool stands);
  void list(int folder);
  bool lies_in_ignored(size_t tree, const std::string& path);
  void receive(const Appeared& one);
  bool hear(int number, int folder);
  bool is_git_at_work() const;
  void take_for_old(int number, int folder);
  // By which number the count knows it.
  int known_as(int number) const;
  void recount();
  void recount_folder(int number);
  bool is_old(int folder, const char* name) const;

  bool is_on_;
  const std::vector<files::WatchedTree>& trees_;
  TreeWatch& watch_;
  DeletionCount count_;
  files::IgnoreRules ignore_;
  FolderReader reader_;
  int64_t start_;  // nanoseconds of the clock by which files are born
  bool stands_ = false;
  bool has_lost_ = false;
  uint64_t lost_before_ = 0;
  // Folders of the start by a hash of where they lay, and those made in the place of one.
  boost::unordered_flat_map<uint64_t, int> by_place_;
  std::unordered_map<int, int> instead_of_;
  std::vector<int> git_folders_;  // of the start, by their numbers
  int64_t git_since_ = 0;         // is being waited for, by the monotonic clock; 0: it is not
  std::vector<int> expected_;     // numbers of folders
  size_t next_ = 0;
  std::unordered_set<int> counted_;                   // folders whose departures count
  std::unordered_set<int> heard_now_;                 // since this batch
  std::unordered_set<int> unheard_;                   // should count, and could not be reached
  std::set<std::pair<size_t, std::string>> ignored_;  // folders of the start
};

}  // namespace ringwall::broker
