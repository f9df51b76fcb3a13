// Looks at the indexes of git while a run goes on, and in the end. What it must not hold goes into
// quarantine; protected files that it did not hold when the run began are told.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "broker/staged_files.h"
#include "broker/vet.h"
#include "files/index.h"
#include "files/protected.h"
#include "files/watched_tree.h"

namespace ringwall::broker {

// Of a file that is called as an index of git is, whatever it holds.
Result<IndexLook> look_at_index(const files::WatchedTree& tree, const std::string& path,
                                const files::ProtectedNames& names);
// Why it has to go, with what the person does then; empty: it may stay.
// Of what the index held when the run began nothing may be known.
std::string judge_index(const IndexLook& look, const KnownStaged* known);

// On the filesystem of this folder, the ctime of a file tells of every change of its bytes; a
// mapping of a file in memory changes them without. No helper may ask.
bool stamps_files(int folder);

// One that was opened before anything ran, and leased: nobody writes into it as long as it is.
struct StartIndex {
  size_t tree;
  std::string path;
  Fd file;
};
// Nothing if there is none, or no lease to be had.
std::optional<StartIndex> open_start_index(const std::vector<std::string>& trees,
                                           const std::string& git_folder);

class StagedWatch {
 public:
  // `stamped`, beside the trees: whether stamps_files() holds.
  StagedWatch(const std::vector<files::WatchedTree>& trees, const files::ProtectedNames& names,
              std::vector<bool> stamped)
      : trees_(trees), names_(names), stamped_(std::move(stamped)) {}

  // `start`, of file times: what was changed since then is not as the run found it. The indexes are
  // opened and leased, so that nobody writes into them, and read when that is of use: a run that is
  // over at once, or stages nothing, does not wait for it.
  void begin(const std::vector<files::Index>& indexes, std::vector<StartIndex> opened,
             int64_t start);

  // One has come or was written: why it has to go, empty if it may stay. git writes it at every
  // step of a rebase: while anything inside lives, it is looked at a moment later, and not often.
  std::string take(size_t tree, const std::string& path);
  void begin_last_look() { is_last_ = true; }
  bool are_due() const;
  // Milliseconds, as poll takes them, instead of `longest`.
  int wait_time(int longest) const;
  void work(std::vector<Culprit>& culprits);

  struct Staged {
    std::string index;  // absolute
    std::string names;
    bool is_compared = true;
  };
  // Of those that may stay.
  const std::vector<Staged>& staged() const { return staged_; }

 private:
  using Place = std::pair<size_t, std::string>;
  void leave_out_what_lies_there(size_t tree, const std::string& index, IndexLook& look) const;
  std::string judge_last(size_t tree, const std::string& path);
  void begin_in(size_t tree, const std::string& folder);
  void begin_one(size_t tree, const std::string& path);
  void read_held();
  bool read_one(const StartIndex& held);
  const KnownStaged* known() const { return knows_all_ ? &known_ : nullptr; }
  bool is_as_at_start(size_t tree, const std::string& path) const;

  const std::vector<files::WatchedTree>& trees_;
  const files::ProtectedNames& names_;
  std::vector<bool> stamped_;
  int64_t start_ = 0;
  KnownStaged known_;
  bool knows_all_ = true;
  bool is_last_ = false;
  std::vector<StartIndex> held_;  // not read yet
  std::set<Place> waiting_;
  int64_t due_ = 0, next_ = 0;  // by the monotonic clock
  std::set<Place> passed_;      // in the end
  std::vector<Staged> staged_;
};

}  // namespace ringwall::broker
