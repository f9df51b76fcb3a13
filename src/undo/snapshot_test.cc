#include "undo/snapshot.h"

#include "undo/undo_testing.h"

namespace ringwall::undo {
namespace {

class Snapshots : public UndoPlace {
 protected:
  static Kept kept(const Manifest& manifest, const std::string& path) {
    return find_entry(manifest.trees[0], path)->kept;
  }
};

TEST_F(Snapshots, ReadWhatIsKnownNotAgain) {
  write("one", "1");
  write("two", "22");
  pass_time();
  Manifest first = snapshot();
  EXPECT_EQ(stored_, 3u);
  // The store is emptied behind its back: who reads a file again would write it again.
  ASSERT_TRUE(tree::empty_at(undo_.get(), "blobs"));
  pass_time();
  write("two", "33");
  Manifest second = snapshot(UINT64_MAX, &first.trees[0]);
  EXPECT_EQ(stored_, 2u);
  EXPECT_EQ(kept(second, "one"), Kept::content);
  EXPECT_EQ(find_entry(second.trees[0], "one")->digest, find_entry(first.trees[0], "one")->digest);
  EXPECT_NE(find_entry(second.trees[0], "two")->digest, find_entry(first.trees[0], "two")->digest);
}

TEST_F(Snapshots, DistrustWhatWasChangedInTheTickOfTheLastLook) {
  write("one", "1");
  Manifest first = snapshot();
  first.trees[0].clock = find_entry(first.trees[0], "one")->changed;
  ASSERT_TRUE(tree::empty_at(undo_.get(), "blobs"));
  Manifest second = snapshot(UINT64_MAX, &first.trees[0]);
  EXPECT_EQ(stored_, 1u);
}

TEST_F(Snapshots, KeepNoMoreThanTheLimitAndNoSecret) {
  write("a", "12345");
  write("b", "12345");
  write("secret", "12345");
  Manifest manifest = snapshot(9);
  EXPECT_EQ(kept(manifest, "a"), Kept::content);
  EXPECT_EQ(kept(manifest, "b"), Kept::beyond);
  EXPECT_EQ(kept(manifest, "secret"), Kept::hidden);
  EXPECT_EQ(stored_, 5u);
  EXPECT_EQ(why_not(Kept::content), "");
  EXPECT_NE(why_not(Kept::beyond), "");
}

// The command starts while the first file is read, and changes what was not read yet.
TEST_F(Snapshots, TakeNothingForTheStartsThatTheCommandHasChanged) {
  write("a", "old");
  write("b", "old");
  write("c", "old");
  pass_time();
  int asked = 0;
  Manifest manifest = snapshot(UINT64_MAX, nullptr, [&](StartSign& sign) {
    // Asked at the end of the look, before each file and after it: 'a' is read by then.
    if (++asked == 4) {
      sign.started = true;
      sign.clocks = {*changes::read_clock_of(undo_.get())};
      pass_time();
      write("b", "new");
    }
    return true;
  });
  EXPECT_EQ(kept(manifest, "a"), Kept::content);
  EXPECT_EQ(kept(manifest, "b"), Kept::changed);
  EXPECT_EQ(kept(manifest, "c"), Kept::content);
}

// It starts before the look is over.
TEST_F(Snapshots, KnowWhatCouldBeTheCommandsAlready) {
  write("a", "old");
  pass_time();
  int64_t start = *changes::read_clock_of(undo_.get());
  pass_time();
  write("new", "by the command");
  Manifest manifest = snapshot(UINT64_MAX, nullptr, [&](StartSign& sign) {
    sign.started = true;
    sign.clocks = {start};
    return true;
  });
  EXPECT_FALSE(manifest.trees[0].whole);
  EXPECT_EQ(kept(manifest, "a"), Kept::content);
  EXPECT_EQ(kept(manifest, "new"), Kept::changed);
}

// It was faster than the look, but an earlier run has kept what lay there.
TEST_F(Snapshots, TakeWhatAnEarlierRunHasKeptWhereTheCommandWasFaster) {
  ASSERT_EQ(mkdir((tree_ + "/gone").c_str(), 0755), 0);
  ASSERT_EQ(mkdir((tree_ + "/calm").c_str(), 0755), 0);
  for (const char* name : {"changed", "deleted", "gone/x", "calm/deleted-before", "calm/y"})
    write(name, "old");
  Manifest first = snapshot();
  ASSERT_EQ(unlink((tree_ + "/calm/deleted-before").c_str()), 0);
  pass_time();
  int64_t start = *changes::read_clock_of(undo_.get());
  pass_time();
  write("changed", "new");
  remove_all(tree_ + "/gone");
  ASSERT_EQ(unlink((tree_ + "/deleted").c_str()), 0);
  Manifest second = snapshot(UINT64_MAX, &first.trees[0], [&](StartSign& sign) {
    sign.started = true;
    sign.clocks = {start};
    return true;
  });
  for (const char* name : {"changed", "deleted", "gone/x"})
    EXPECT_EQ(kept(second, name), Kept::earlier) << name;
  EXPECT_EQ(find_entry(second.trees[0], "deleted")->digest,
            find_entry(first.trees[0], "deleted")->digest);
  EXPECT_EQ(kept(second, "gone"), Kept::attributes);
  EXPECT_EQ(kept(second, "calm/y"), Kept::content);
  // Nothing has happened in there since the start: the person has deleted it.
  EXPECT_EQ(find_entry(second.trees[0], "calm/deleted-before"), nullptr);
  EXPECT_TRUE(second.trees[0].whole);
}

// Folders that nobody has touched since the start hold what they held then.
TEST_F(Snapshots, TrustCalmFoldersThatWereReadLate) {
  ASSERT_EQ(mkdir((tree_ + "/folder").c_str(), 0755), 0);
  write("folder/a", "old");
  pass_time();
  int64_t start = *changes::read_clock_of(undo_.get());
  Manifest manifest = snapshot(UINT64_MAX, nullptr, [&](StartSign& sign) {
    sign.started = true;
    sign.clocks = {start};
    return true;
  });
  EXPECT_TRUE(manifest.trees[0].whole);
  EXPECT_EQ(kept(manifest, "folder/a"), Kept::content);
}

TEST_F(Snapshots, StopReadingWhenTheRunIsOver) {
  write("a", "1");
  write("b", "2");
  int asked = 0;
  Manifest manifest = snapshot(UINT64_MAX, nullptr, [&](StartSign& sign) {
    sign.over = ++asked > 3;
    return true;
  });
  EXPECT_EQ(kept(manifest, "a"), Kept::content);
  EXPECT_EQ(kept(manifest, "b"), Kept::unread);
}

}  // namespace
}  // namespace ringwall::undo
