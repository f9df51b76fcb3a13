// What real files held before a run under review, of those for which it can be had cheaply: git's
// index, kept at the start, and files that the run has changed and nobody else, kept at its end.
// With it, both sides of a conflict can be told apart; without it, all else works.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/result.h"
#include "files/index.h"
#include "review/review.h"
#include "review/whole_review.h"

namespace ringwall::review {

// `folder` is the review's own, from here on.

// At the start. A tree without an index, or with a very large one, has none to keep.
Status keep_index(int folder, const ReviewTree& tree);

// At the end: of small texts, up to a few megabytes in all.
void keep_bases(int folder, const std::vector<ReviewedTree>& trees);

// At the end as well: which folders lay on the way to what the run has changed when it began, by
// the search of the start.
void keep_folders(int folder, const ReviewedTree& tree, const files::Index& at_start);

std::optional<std::string> read_base(int folder, const ReviewTree& tree, const std::string& path);

// After an apply that left something: what that did to folders is not taken for somebody else's.
Status note_apply(int folder, const ReviewTree& tree, int real);

// What an apply has moved and put back, and files of which it has taken another name, have a new
// ctime and are as they were: that is not taken for somebody else's either. `before` is what lay at
// each path.
using Seen = std::pair<std::string, changes::EntryFacts>;
Status note_own_times(int folder, const ReviewTree& tree, int real,
                      const std::vector<Seen>& before);

// Before one: folders whose rights may be somebody else's, which their times will not tell any
// more.
Status keep_doubtful(int folder, const ReviewTree& tree, const std::vector<std::string>& folders);

// Something of it was taken over already.
bool is_partly_applied(int folder, const Review& review);

struct OwnTime {
  uint64_t inode = 0;
  int64_t changed = 0;  // its ctime
};

// Which real files were changed since the run began, by their ctimes. An index of git in which only
// times of files are new was not. All that lies in a folder that was put there since was, however
// old it is itself: one that is another than at the start, or, of a run without a proper end, one
// that looks like it.
class OutsideLook {
 public:
  OutsideLook(int folder, const ReviewTree& tree, int real);
  bool was_changed(const changes::Change& change);
  // All that is new about it is a time that we gave it.
  bool is_as_we_left_it(const std::string& path, const changes::EntryFacts& now) const;
  // Of a folder: whether its mode or attributes were cannot be told from what came or went in it.
  bool may_have_other_rights(const changes::Change& change) const;
  // It was, and the run has given it nothing but another time: there is nothing to take over.
  bool is_others_alone(const changes::Change& change);

 private:
  bool was_moved_here(const std::string& path);
  bool is_another(const std::string& folder, const changes::EntryFacts& now) const;

  int folder_;
  const ReviewTree& tree_;
  int real_;
  int64_t applied_;                    // when something of the review was taken over last
  std::map<std::string, bool> moved_;  // folders that were looked at
  std::unordered_set<std::string> touched_;
  std::unordered_map<std::string, OwnTime> own_times_;

  std::unordered_set<std::string> doubtful_;  // see keep_doubtful
  bool knows_folders_ = false;
  std::unordered_map<std::string, uint64_t> folders_;  // inodes at the start
};

}  // namespace ringwall::review
