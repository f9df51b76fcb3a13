#include "changes/entry.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "base/file.h"
#include "base/tree.h"

namespace ringwall::changes {
namespace {

class Entries : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/ringwall-unit-entry-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    top_ = name;
    folder_ = *file::open(top_, O_RDONLY | O_DIRECTORY);
  }
  void TearDown() override {
    Fd tmp(open("/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    (void)tree::remove_at(tmp.get(), top_.substr(5));
  }
  std::string top_;
  Fd folder_;
};

TEST_F(Entries, AreToldByTheirTypes) {
  std::ofstream(top_ + "/file") << "12345";
  ASSERT_EQ(mkdir((top_ + "/folder").c_str(), 0750), 0);
  ASSERT_EQ(symlink("nowhere", (top_ + "/link").c_str()), 0);
  ASSERT_EQ(mkfifo((top_ + "/fifo").c_str(), 0600), 0);
  EXPECT_EQ(look_at(folder_.get(), "file")->type, EntryType::file);
  EXPECT_EQ(look_at(folder_.get(), "file")->size, 5u);
  EXPECT_EQ(look_at(folder_.get(), "folder")->type, EntryType::folder);
  EXPECT_EQ(look_at(folder_.get(), "link")->type, EntryType::link);
  EXPECT_EQ(look_at(folder_.get(), "fifo")->type, EntryType::fifo);
}

TEST_F(Entries, WhatIsNotThereIsNoMistake) {
  std::ofstream(top_ + "/file") << "x";
  ASSERT_EQ(symlink("/etc", (top_ + "/link").c_str()), 0);
  for (const char* path : {"none", "file/below", "link/passwd"})
    EXPECT_EQ(look_at(folder_.get(), path)->type, EntryType::none) << path;
}

TEST_F(Entries, TheClockTellsWhatIsLater) {
  std::ofstream(top_ + "/before") << "x";
  usleep(20'000);
  struct stat top_before, top_after;
  ASSERT_EQ(stat(top_.c_str(), &top_before), 0);
  auto stamp = read_clock_of(folder_.get());
  ASSERT_TRUE(stamp);
  ASSERT_EQ(stat(top_.c_str(), &top_after), 0);
  EXPECT_EQ(top_before.st_mtim.tv_nsec, top_after.st_mtim.tv_nsec);
  usleep(20'000);
  std::ofstream(top_ + "/after") << "x";
  EXPECT_LT(look_at(folder_.get(), "before")->changed, *stamp);
  EXPECT_GT(look_at(folder_.get(), "after")->changed, *stamp);
}

}  // namespace
}  // namespace ringwall::changes
