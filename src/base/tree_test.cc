#include "base/tree.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/file.h"

namespace ringwall::tree {
namespace {

class Tree : public testing::Test {
 protected:
  Tree() {
    std::string pattern = testing::TempDir() + "/treeXXXXXX";
    folder_ = mkdtemp(pattern.data());
    dir_ = Fd(open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }
  ~Tree() override { rmdir(folder_.c_str()); }  // fails if a test left something, as it should not

  std::string at(const std::string& name) const { return folder_ + "/" + name; }

  void make_file(const std::string& name, size_t bytes = 1) const {
    Fd fd(open(at(name).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    ASSERT_TRUE(fd);
    ASSERT_TRUE(file::write_all(fd.get(), std::string(bytes, 'x')));
  }
  void make_folder(const std::string& name) const { ASSERT_EQ(mkdir(at(name).c_str(), 0700), 0); }

  bool is_gone(const std::string& name) const {
    struct stat facts;
    return lstat(at(name).c_str(), &facts) < 0 && errno == ENOENT;
  }

  std::string folder_;
  Fd dir_;
};

// Deeper than a process may open files, and than a path may be long.
constexpr int kDeep = 2500;

void dig(int dir, const std::string& top) {
  Fd at(openat(dir, top.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  for (int i = 0; i < kDeep; i++) {
    ASSERT_EQ(mkdirat(at.get(), "deeper", 0700), 0);
    Fd file(openat(at.get(), "file", O_WRONLY | O_CREAT | O_CLOEXEC, 0000));
    ASSERT_TRUE(file);
    at = Fd(openat(at.get(), "deeper", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    ASSERT_TRUE(at);
  }
}

}  // namespace

TEST_F(Tree, MeasuresWhatIsOnTheDisk) {
  make_folder("t");
  make_file("t/a", 100'000);
  make_folder("t/b");
  make_file("t/b/c", 200'000);
  Measure measure = measure_at(dir_.get(), "t");
  EXPECT_TRUE(measure.whole);
  EXPECT_GE(measure.bytes, 300'000u);
  EXPECT_LT(measure.bytes, 400'000u);
  EXPECT_TRUE(remove_at(dir_.get(), "t"));
}

TEST_F(Tree, AFileAloneAndNothingAtAll) {
  make_file("f", 10'000);
  EXPECT_GE(measure_at(dir_.get(), "f").bytes, 10'000u);
  EXPECT_TRUE(remove_at(dir_.get(), "f"));
  EXPECT_TRUE(is_gone("f"));
  EXPECT_EQ(measure_at(dir_.get(), "f").bytes, 0u);
  EXPECT_TRUE(remove_at(dir_.get(), "f"));
}

TEST_F(Tree, FollowsNoLink) {
  make_folder("outside");
  make_file("outside/kept", 500'000);
  make_folder("t");
  ASSERT_EQ(symlink("../outside", at("t/link").c_str()), 0);
  ASSERT_EQ(symlink("outside", at("alias").c_str()), 0);
  EXPECT_LT(measure_at(dir_.get(), "t").bytes, 100'000u);
  EXPECT_LT(measure_at(dir_.get(), "alias").bytes, 100'000u);
  EXPECT_TRUE(remove_at(dir_.get(), "t"));
  EXPECT_TRUE(remove_at(dir_.get(), "alias"));
  EXPECT_TRUE(is_gone("t") && is_gone("alias"));
  EXPECT_FALSE(is_gone("outside/kept"));
  EXPECT_TRUE(remove_at(dir_.get(), "outside"));
}

TEST_F(Tree, ClosedFoldersAreOpenedToBeRemovedAndNotToBeMeasured) {
  make_folder("t");
  make_folder("t/closed");
  make_folder("t/closed/deeper");
  make_file("t/closed/deeper/file", 100'000);
  ASSERT_EQ(chmod(at("t/closed/deeper").c_str(), 0000), 0);
  ASSERT_EQ(chmod(at("t/closed").c_str(), 0400), 0);
  Measure measure = measure_at(dir_.get(), "t");
  if (geteuid() != 0) {
    EXPECT_FALSE(measure.whole);
  }
  struct stat facts;
  ASSERT_EQ(stat(at("t/closed").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0400u);
  EXPECT_TRUE(remove_at(dir_.get(), "t"));
  EXPECT_TRUE(is_gone("t"));
}

TEST_F(Tree, DeepTrees) {
  make_folder("t");
  dig(dir_.get(), "t");
  Measure measure = measure_at(dir_.get(), "t");
  EXPECT_TRUE(measure.whole);
  EXPECT_TRUE(remove_at(dir_.get(), "t"));
  EXPECT_TRUE(is_gone("t"));
}

TEST_F(Tree, NamesThatTheRemovalWouldUseItself) {
  make_folder("t");
  for (const char* name : {"t/.removed-0", "t/a", "t/a/.removed-0", "t/a/.removed-1", "t/a/b"})
    make_folder(name);
  make_file("t/.removed-1");
  EXPECT_TRUE(remove_at(dir_.get(), "t"));
  EXPECT_TRUE(is_gone("t"));
}

TEST_F(Tree, EmptiedFoldersKeepWhatIsToStay) {
  for (const char* name : {"t", "t/a", "t/a/note"})
    make_folder(name);
  make_file("t/note");
  EXPECT_TRUE(empty_at(dir_.get(), "t", "note"));
  EXPECT_TRUE(is_gone("t/a") && !is_gone("t/note"));
  EXPECT_TRUE(empty_at(dir_.get(), "t"));
  EXPECT_EQ(rmdir(at("t").c_str()), 0);
  EXPECT_TRUE(empty_at(dir_.get(), "t"));
}

TEST_F(Tree, WhatGoesLastGoesToo) {
  for (const char* name : {"t", "t/a", "t/a/note", "t/note"})
    make_folder(name);
  make_file("t/note/file");
  EXPECT_TRUE(remove_at(dir_.get(), "t", "note"));
  EXPECT_TRUE(is_gone("t"));
}

}  // namespace ringwall::tree
