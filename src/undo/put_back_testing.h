// A run that did something to the tree, and undos of it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "undo/put_back.h"
#include "undo/undo_testing.h"

namespace ringwall::undo {

class PutBack : public UndoPlace {
 protected:
  // What a run would do between its start and its end.
  template <class Work>
  void run(const std::string& name, Work work) {
    KeptRun run{name + "@1", name, KeptRun::Kind::run, tree_, {"true"}, now_in_milliseconds()};
    of_ = run.id;
    Fd folder = *make_kept_run(undo_.get(), run);
    manifest_ = snapshot();
    ASSERT_TRUE(write_manifest(folder.get(), manifest_));
    pass_time();
    work();
    Outcome outcome{1, true, {*changes::read_clock_of(undo_.get())}};
    compare(manifest_.trees[0], snapshot().trees[0].entries, 0, outcome.touched);
    outcome.unkept = count_unkept(manifest_, outcome.touched);
    ASSERT_TRUE(write_outcome(folder.get(), outcome));
    outcome_ = outcome;
    pass_time();
  }

  Result<UndoResult> undo(const UndoWish& wish, const std::string& as = "undo@2",
                          std::function<int(std::string_view)> before_act = {}) {
    std::vector<Fd> trees = *open_trees(manifest_);
    Fd folder = *open_kept_run(undo_.get(), of_);
    TRY_ASSIGN(plan_, plan_undo(manifest_, outcome_, trees, wish, OwnTimes::read(folder.get())));
    KeptRun run{as, "undo", KeptRun::Kind::undo, tree_, {}, now_in_milliseconds(), of_};
    return put_back({undo_.get(), run, manifest_, trees, plan_, before_act});
  }

  void load(const std::string& id) {
    of_ = id;
    Fd folder = *open_kept_run(undo_.get(), id);
    manifest_ = *read_manifest(folder.get());
    outcome_ = *read_outcome(folder.get());
  }

  std::string of_;  // the entry of the history that is undone
  Manifest manifest_;
  std::optional<Outcome> outcome_;
  UndoPlan plan_;
};

}  // namespace ringwall::undo
