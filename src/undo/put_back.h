// Carries out what undo_plan.h has planned, as one transaction for each tree
// (changes/transaction.h), and notes it as an act of its own in the history: what it replaces is
// kept, so an undo can be undone.
//
// In the folder of the undo, until it is done:
//
//   sources/N    what is put back, made whole and checked before anything is touched
//   journal/N    the transaction of tree N
//
// What it replaces is kept before it is touched (undo/originals.h). Who is killed leaves these;
// `finish_interrupted` goes on from there.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "undo/kept_run.h"
#include "undo/take_originals.h"
#include "undo/undo_plan.h"

namespace ringwall::undo {

struct UndoResult {
  uint64_t put_back = 0;
  uint64_t taken_away = 0;
  std::vector<LeftAlone> left = {};  // what somebody changed meanwhile, or what failed
  std::vector<std::string> unkept = {};
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

// An act is an undo, or the apply of a review: transactions in `journal/N` of its folder, which
// this gives.
Result<Fd> open_journals(int folder);

enum class ActState : uint8_t {
  untouched,  // nothing of the trees was touched
  begun,      // it waits for somebody who goes on with it
  done,       // every transaction that was begun is done; finish_act has to note it
};
Result<ActState> look_at_act(int folder);

// When the transactions are done: takes what they have kept, writes down what they did. Nothing of
// the journals is left.
Status finish_act(int undo, int folder, const std::vector<Fd>& trees,
                  const TakeOptions& options = {});

// "PATH: why" of what an act has replaced and undo cannot bring back.
std::vector<std::string> find_unkept(int folder);

// Acts that were killed go on, each as far as it can be; what had not begun leaves no trace. One
// that cannot be finished is told, and holds up no other.
struct FinishedActs {
  std::vector<std::string> ids;
  std::vector<Error> broken;
};
Result<FinishedActs> finish_interrupted(int undo, const TakeOptions& options = {});

// It has begun and is not done: it must not expire.
bool is_interrupted(int folder);

}  // namespace ringwall::undo
