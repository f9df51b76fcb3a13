// The second part of a transaction: puts the new inodes in their places, or everything back. Both
// look at what lies where, so that they can be begun again after any interruption.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "changes/journal.h"
#include "changes/transaction.h"
#include "changes/workplace.h"

namespace ringwall::changes {

class Commit {
 public:
  Commit(Workplace& place, const Plan& plan);

  // A conflict is no error: it is in the report. True if nothing has to be put back.
  Result<bool> go_forward();
  Status go_back();

  // After the way back: something could not be put back and lies among what is kept.
  bool keeps_something() const;
  Report take_report() &&;

 private:
  enum class Part { opening, clearing, placing, finishing };

  Status go_through(Part part);
  Status open_folder(size_t at);
  Status put(size_t at);
  Status finish_folder(size_t at);
  Status take_back(size_t at);
  Status close_folder(size_t at);

  Result<bool> is_done(size_t at, const EntryFacts& now);
  Status exchange(size_t at, const TreeFolders::Place& found);
  Status undo_exchange(size_t at, const TreeFolders::Place& found);
  void note(size_t at, Outcome outcome, std::string why = {});
  // Nothing more can be said than that it is not there.
  bool is_unreachable(size_t at, const Error& error);

  Workplace& place_;
  const Plan& plan_;
  Report report_;
  bool has_conflict_ = false;
};

}  // namespace ringwall::changes
