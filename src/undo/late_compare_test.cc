#include "undo/late_compare.h"

#include <sys/stat.h>

#include "undo/kept_run.h"
#include "undo/recent_look.h"
#include "undo/undo_plan.h"
#include "undo/undo_testing.h"

namespace ringwall::undo {
namespace {

using Kind = Touched::Kind;
using Blame = LateComparer::Blame;

// A run with the manifest of an earlier one: what happened before it is not its doing.
class LateCompare : public UndoPlace {
 protected:
  void SetUp() override {
    UndoPlace::SetUp();
    ASSERT_EQ(mkdir((tree_ + "/quiet").c_str(), 0755), 0);
    for (const char* name : {"mine", "its", "later", "gone", "quiet/gone", "same"})
      write(name, "old");
    manifest_ = snapshot();
  }

  int64_t clock_now() {
    pass_time();
    int64_t now = *changes::read_clock_of(open_tree().get());
    pass_time();
    return now;
  }

  // What the person did before, what the run did, and what the person did after it.
  void live() {
    write("mine", "edited before");
    write("made before", "x");
    ASSERT_EQ(unlink((tree_ + "/quiet/gone").c_str()), 0);
    outcome_.starts = {clock_now()};
    write("its", "changed");
    write("made", "x");
    ASSERT_EQ(unlink((tree_ + "/gone").c_str()), 0);
    outcome_.clocks = {clock_now()};
    write("later", "edited after");
    outcome_.has_earlier_manifest = true;
  }

  Fd keep() {
    Fd folder = *make_kept_run(undo_.get(), {"a@1", "a", KeptRun::Kind::run, tree_, {}, 1});
    EXPECT_TRUE(write_manifest(folder.get(), manifest_));
    EXPECT_TRUE(write_outcome(folder.get(), outcome_));
    return folder;
  }

  Manifest manifest_;
  Outcome outcome_{1, false};
};

TEST_F(LateCompare, FindsWhatWasDoneBetweenTheClocks) {
  live();
  Fd folder = keep();
  LateComparer comparer({});
  ASSERT_TRUE(comparer.complete(folder.get(), outcome_, Blame::certain));
  std::map<std::string, Kind> found;
  for (const Touched& one : outcome_.touched)
    found[one.after.path] = one.kind;
  std::map<std::string, Kind> wanted = {
      {"its", Kind::changed}, {"made", Kind::added}, {"gone", Kind::deleted}};
  EXPECT_EQ(found, wanted);
  ASSERT_TRUE(comparer.complete(folder.get(), outcome_, Blame::possible));
  EXPECT_EQ(outcome_.touched.size(), 4u) << "and what was changed later";
  EXPECT_EQ(outcome_.unkept, 0u);
}

TEST_F(LateCompare, AnUndoLeavesWhatThePersonDid) {
  live();
  Fd folder = keep();
  std::vector<Fd> trees = *open_trees(manifest_);
  auto plan = plan_undo(manifest_, outcome_, trees, {});
  ASSERT_TRUE(plan);
  std::map<std::string, Kept> back;
  for (const UndoAct& act : plan->acts)
    back[act.before.path] = act.before.kept;
  std::map<std::string, Kept> wanted = {{"its", Kept::earlier}, {"gone", Kept::earlier}};
  EXPECT_EQ(back, wanted);
  ASSERT_EQ(plan->left.size(), 1u);
  EXPECT_EQ(plan->left[0].path, tree_ + "/later");
  EXPECT_TRUE(plan->left[0].is_conflict);
}

TEST_F(LateCompare, ARunThatDidNothing) {
  write("mine", "edited before");
  outcome_.starts = outcome_.clocks = {clock_now()};
  Fd folder = keep();
  ASSERT_TRUE(LateComparer({}).complete(folder.get(), outcome_, Blame::possible));
  EXPECT_TRUE(outcome_.touched.empty());
}

TEST_F(LateCompare, AnotherFolderInItsPlaceIsAnError) {
  live();
  Fd folder = keep();
  ASSERT_EQ(rename(tree_.c_str(), (tree_ + "-away").c_str()), 0);
  EXPECT_FALSE(LateComparer({}).complete(folder.get(), outcome_, Blame::possible));
  ASSERT_EQ(mkdir(tree_.c_str(), 0755), 0);
  EXPECT_FALSE(LateComparer({}).complete(folder.get(), outcome_, Blame::possible));
}

TEST_F(LateCompare, ALookIsRecentForTheSameTreesAndAWhile) {
  std::vector<KeeperTree> trees;
  trees.push_back({open_tree(), tree_});
  std::string mark = mark_of(trees, {tree_ + "/secret"});
  EXPECT_NE(mark, mark_of(trees, {}));
  EXPECT_EQ(find_recent_look(undo_.get(), trees, mark, 1000), "") << "none was kept";
  ASSERT_TRUE(set_latest(undo_.get(), tree_, {"a@1", true, mark, 1000, 3, 500}));
  EXPECT_EQ(find_recent_look(undo_.get(), trees, mark, 1000 + kRecentSeconds), "a@1");
  EXPECT_EQ(find_recent_look(undo_.get(), trees, mark, 1001 + kRecentSeconds), "");
  EXPECT_EQ(find_recent_look(undo_.get(), trees, mark, 999), "") << "a clock that went back";
  EXPECT_EQ(find_recent_look(undo_.get(), trees, "other", 1000), "");
  trees[0].newest = 499;
  EXPECT_EQ(find_recent_look(undo_.get(), trees, mark, 1000), "a@1");
  trees[0].newest = 500;
  EXPECT_EQ(find_recent_look(undo_.get(), trees, mark, 1000), "") << "a name may have come since";
  trees[0].newest = 0;
  ASSERT_TRUE(set_latest(undo_.get(), tree_, {"a@1", false, mark, 1000, 3, 500}));
  EXPECT_EQ(find_recent_look(undo_.get(), trees, mark, 1000), "") << "it has not kept all";
}

TEST_F(LateCompare, TheLatestTakesThePlaceOfALongerOneAndOfAShorterOne) {
  for (const Latest& one :
       {Latest{"a", true, "m", 1, 2, 3}, Latest{"a-longer-name@2", true, "mark", 1000, 50, 1234567},
        Latest{"b@3", false}, Latest{"c", true, "n", 2}}) {
    ASSERT_TRUE(set_latest(undo_.get(), tree_, one));
    Latest found = latest_of(undo_.get(), tree_);
    EXPECT_EQ(found.id, one.id);
    EXPECT_EQ(found.has_all, one.has_all);
    EXPECT_EQ(found.mark, one.mark);
    EXPECT_EQ(found.looked, one.looked);
    EXPECT_EQ(found.entries, one.entries);
    EXPECT_EQ(found.clock, one.clock);
  }
}

// Killed after it was cut to the size of the new note, which can be any.
TEST_F(LateCompare, ANoteOfTheLatestRunSaysLessAndNeverMore) {
  Latest old{"app-3@1700000000000", true, "some-mark", 1700000000, 4567};
  for (off_t size = 0; size < 120; size++) {
    ASSERT_TRUE(set_latest(undo_.get(), tree_, old));
    auto notes = file::open_beneath(undo_.get(), "latest", O_RDONLY | O_DIRECTORY);
    ASSERT_TRUE(notes);
    auto names = file::list(notes->get());
    ASSERT_TRUE(names && names->size() == 1);
    auto note = file::open_beneath(notes->get(), names->front().name, O_RDWR);
    ASSERT_TRUE(note && ftruncate(note->get(), size) == 0);
    Latest left = latest_of(undo_.get(), tree_);
    EXPECT_TRUE(old.id.starts_with(left.id)) << size;
    EXPECT_TRUE(left.id == old.id || !left.has_all) << size;
    if (!left.has_all) continue;
    EXPECT_EQ(left.mark, old.mark) << size;
    EXPECT_LE(left.looked, old.looked) << size;
    EXPECT_LE(left.entries, old.entries) << size;
  }
}

}  // namespace
}  // namespace ringwall::undo
