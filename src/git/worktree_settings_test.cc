#include "git/worktree_settings.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

namespace ringwall::git {
namespace {

namespace fs = std::filesystem;

class SleepingSettings : public ::testing::Test {
 protected:
  SleepingSettings() {
    char name[] = "/tmp/worktree-settings-XXXXXX";
    top_ = fs::canonical(mkdtemp(name));
    fs::create_directories(git() + "/worktrees/w");
  }
  ~SleepingSettings() override { fs::remove_all(top_); }

  std::string git() const { return top_ + "/.git"; }
  void write(const std::string& path, const std::string& text) {
    std::ofstream(git() + "/" + path) << text;
  }
  std::string why() const {
    auto refused = judge_sleeping_settings({git(), {&top_, 1}});
    return refused ? refused->reason : "";
  }

  std::string top_;
};

TEST_F(SleepingSettings, WhatLeavesFilesOutMayWake) {
  EXPECT_EQ(why(), "");
  write("config.worktree", "[core]\n\tsparseCheckout = true\n[user]\n\temail = a@example.org\n");
  write("worktrees/w/config.worktree", "[index]\n\tsparse = true\n");
  EXPECT_EQ(why(), "");
}

TEST_F(SleepingSettings, WhatRunsSomethingMayNot) {
  write("config.worktree", "[core]\n\tfsmonitor = x\n");
  EXPECT_NE(why().find("core.fsmonitor"), std::string::npos);
  fs::remove(git() + "/config.worktree");
  EXPECT_EQ(why(), "");
  write("worktrees/w/config.worktree", "[core]\n\thooksPath = x\n");
  EXPECT_NE(why().find("core.hookspath"), std::string::npos);
}

TEST_F(SleepingSettings, WhatCannotBeReadMayNot) {
  fs::create_symlink("/dev/null", git() + "/config.worktree");
  EXPECT_NE(why(), "");
  fs::remove(git() + "/config.worktree");
  fs::create_directory(git() + "/config.worktree");
  EXPECT_NE(why(), "");
  fs::remove(git() + "/config.worktree");
  fs::remove_all(git() + "/worktrees");
  fs::create_symlink("/", git() + "/worktrees");
  EXPECT_NE(why(), "");
}

}  // namespace
}  // namespace ringwall::git
