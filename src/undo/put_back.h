// Carries out what undo_plan.h has planned, as one transaction for each tree
// (changes/transaction.h), and notes it as an act of its own in the history: what it replaces is
// kept, so an undo can be undone.
//
// In the folder of the undo, until it is done:
//
//   sources/N    what is put back, made whole and checked before anything is touched
//   journal/N    the transaction of tree N
//
// Who is killed leaves these; `finish_interrupted` goes on from there.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "undo/kept_run.h"
#include "undo/undo_plan.h"

namespace ringwall::undo {

struct UndoResult {
  uint64_t put_back = 0;
  uint64_t taken_away = 0;
  std::vector<LeftAlone> left = {};  // what somebody changed meanwhile, or what failed
};

struct UndoRequest {
  int undo;    // folder; its lock is held
  KeptRun as;  // the undo itself, as the history shall have it
  const Manifest& manifest;
  const std::vector<Fd>& trees;
  const UndoPlan& plan;
  // For tests: see changes::TransactionOptions; called before the other steps too.
  std::function<int(std::string_view)> before_act = {};
};
Result<UndoResult> put_back(const UndoRequest& request);

// What a transaction elsewhere has replaced becomes an entry of the history: for `ringwall apply`.
// Each journal has its report, and may be forgotten afterwards.
struct ReplacedIn {
  std::string path;  // of the tree
  int tree;
  int journal;
};
Status keep_replaced(int undo, const KeptRun& as, const std::vector<ReplacedIn>& trees);

// Undos that were killed go on: each is done as far as it can be, or has never begun. Gives their
// ids.
Result<std::vector<std::string>> finish_interrupted(int undo);

// It has begun and is not done: it must not expire.
bool is_interrupted(int folder);

}  // namespace ringwall::undo
