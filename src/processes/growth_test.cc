#include "processes/growth.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "policy/policy.h"

namespace ringwall::processes {
namespace {

constexpr uint64_t kMega = 1 << 20;
constexpr int64_t kLong = 1'000'000'000;

class Folder {
 public:
  Folder() {
    path_ = testing::TempDir() + "growthXXXXXX";
    EXPECT_NE(mkdtemp(path_.data()), nullptr);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  const std::string& path() const { return path_; }

  Fd write(const std::string& name, uint64_t bytes) const {
    Fd file(open((path_ + "/" + name).c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600));
    std::vector<char> block(kMega, 'x');
    for (uint64_t i = 0; i < bytes / kMega; i++)
      EXPECT_EQ(::write(file.get(), block.data(), block.size()), ssize_t{kMega});
    return file;
  }

 private:
  std::string path_;
};

std::vector<Fd> opened(const Folder& folder) {
  std::vector<Fd> roots;
  roots.emplace_back(open(folder.path().c_str(), O_PATH));
  return roots;
}

uint64_t written_since(const Folder& folder, int64_t since) {
  std::vector<Fd> roots = opened(folder);
  WrittenSince walk(roots, since, 0);
  EXPECT_TRUE(walk.go_on(clock::monotonic() + kLong));
  return walk.sum().bytes;
}

// Others may free as much at the same moment, which hides it from one look.
bool is_told_of_a_bomb(Growth& growth, const Folder& folder) {
  for (int i = 0; i < 10; i++) {
    folder.write("bomb", 6 * kMega);
    if (growth.look(kLong)) return true;
  }
  return false;
}

}  // namespace

TEST(WrittenSince, CountsWhatIsNewAtAnyDepth) {
  Folder folder;
  std::filesystem::create_directories(folder.path() + "/a/b/c");
  folder.write("a/b/c/deep", 3 * kMega);
  folder.write("top", kMega);
  EXPECT_GE(written_since(folder, clock::wall_seconds() - 5), 4 * kMega);
  EXPECT_EQ(written_since(folder, clock::wall_seconds() + 5), 0u);
}

// A file can be written without a name; only whoever has it open leads to it.
TEST(WrittenSince, RemovedFilesThatAreOpenCount) {
  Folder folder;
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    Fd file = folder.write("hidden", 3 * kMega);
    unlink((folder.path() + "/hidden").c_str());
    _exit(::write(ends[1], "x", 1) == 1 ? pause() : 1);
  }
  char byte;
  ASSERT_EQ(read(ends[0], &byte, 1), 1);
  std::vector<Fd> roots = opened(folder);
  WrittenSince walk(roots, clock::wall_seconds() - 5, getpid());
  EXPECT_TRUE(walk.go_on(clock::monotonic() + kLong));
  EXPECT_GE(walk.sum().bytes, 3 * kMega);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

// Such a process closes its list of open files, and may hold removed ones.
TEST(WrittenSince, AProcessThatCannotBeLookedAtMakesItUnsure) {
  if (getuid() == 0) GTEST_SKIP() << "root may look at every process";
  Folder folder;
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_DUMPABLE, 0);
    _exit(::write(ends[1], "x", 1) == 1 ? pause() : 1);
  }
  char byte;
  ASSERT_EQ(read(ends[0], &byte, 1), 1);
  std::vector<Fd> roots = opened(folder);
  WrittenSince walk(roots, 0, getpid());
  EXPECT_TRUE(walk.go_on(clock::monotonic() + kLong));
  EXPECT_TRUE(walk.unsure());
  kill(child, SIGKILL);
  siginfo_t info;
  waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
  WrittenSince later(roots, 0, getpid());
  EXPECT_TRUE(later.go_on(clock::monotonic() + kLong));
  EXPECT_FALSE(later.unsure()) << "one that has ended holds nothing";
  waitpid(child, nullptr, 0);
}

// A thread may have a table of its own.
TEST(WrittenSince, RemovedFilesOfOneThreadAloneCount) {
  Folder folder;
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    std::thread([&] {
      unshare(CLONE_FILES);
      Fd file = folder.write("hidden", 3 * kMega);
      unlink((folder.path() + "/hidden").c_str());
      _exit(::write(ends[1], "x", 1) == 1 ? pause() : 1);
    }).join();
  }
  char byte;
  ASSERT_EQ(read(ends[0], &byte, 1), 1);
  std::vector<Fd> roots = opened(folder);
  WrittenSince walk(roots, clock::wall_seconds() - 5, getpid());
  EXPECT_TRUE(walk.go_on(clock::monotonic() + kLong));
  EXPECT_GE(walk.sum().bytes, 3 * kMega);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

TEST(WrittenSince, LongLinksAndFoldersTakeSpaceToo) {
  Folder folder;
  std::string target(3000, 'x');
  for (int i = 0; i < 100; i++)
    ASSERT_EQ(symlink(target.c_str(), (folder.path() + "/" + std::to_string(i)).c_str()), 0);
  for (int i = 0; i < 100; i++)
    std::filesystem::create_directory(folder.path() + "/d" + std::to_string(i));
  std::vector<Fd> roots = opened(folder);
  struct stat link, below;
  ASSERT_EQ(lstat((folder.path() + "/1").c_str(), &link), 0);
  ASSERT_EQ(lstat((folder.path() + "/d1").c_str(), &below), 0);
  WrittenSince walk(roots, clock::wall_seconds() - 5, 0);
  EXPECT_TRUE(walk.go_on(clock::monotonic() + kLong));
  EXPECT_GE(walk.sum().bytes, static_cast<uint64_t>(link.st_blocks + below.st_blocks) * 512 * 100);
  EXPECT_GE(walk.sum().files, 200u);
}

TEST(WrittenSince, LinksAreNotFollowedAndCountOnce) {
  Folder folder, other;
  other.write("large", 8 * kMega);
  folder.write("file", 2 * kMega);
  std::filesystem::create_symlink(other.path(), folder.path() + "/link");
  std::filesystem::create_symlink(other.path() + "/large", folder.path() + "/link2");
  std::filesystem::create_hard_link(folder.path() + "/file", folder.path() + "/same");
  uint64_t bytes = written_since(folder, clock::wall_seconds() - 5);
  EXPECT_GE(bytes, 2 * kMega);
  EXPECT_LT(bytes, 3 * kMega);
}

TEST(WrittenSince, StopsAtItsDeadlineAndGoesOn) {
  Folder folder;
  for (int i = 0; i < 500; i++)
    folder.write("file" + std::to_string(i), 0);
  folder.write("last", kMega);
  std::vector<Fd> roots = opened(folder);
  WrittenSince walk(roots, clock::wall_seconds() - 5, 0);
  int steps = 1;
  while (!walk.go_on(0))
    steps++;
  EXPECT_GT(steps, 3);
  EXPECT_GE(walk.sum().bytes, kMega);
}

TEST(WrittenSince, FoldersTooDeepToFollowMakeItUnsure) {
  Folder folder;
  int here = open(folder.path().c_str(), O_RDONLY | O_DIRECTORY);
  for (int i = 0; i < 300; i++) {
    mkdirat(here, "d", 0700);
    int next = openat(here, "d", O_RDONLY | O_DIRECTORY);
    close(here);
    here = next;
  }
  close(here);
  std::vector<Fd> roots = opened(folder);
  WrittenSince walk(roots, 0, 0);
  EXPECT_TRUE(walk.go_on(clock::monotonic() + kLong));
  EXPECT_TRUE(walk.unsure());
}

TEST(Growth, TellsOnceAndThenAllowsAsMuchAgain) {
  Folder folder;
  Growth growth({folder.path()}, 4 * kMega, 0);
  ASSERT_TRUE(growth.is_watched());
  EXPECT_FALSE(growth.look(kLong));
  EXPECT_GT(growth.room(), 0u);
  EXPECT_TRUE(is_told_of_a_bomb(growth, folder));
  EXPECT_GE(growth.grown().bytes, 4 * kMega);
  EXPECT_EQ(growth.exceeded().bytes, 4 * kMega);
  EXPECT_FALSE(growth.look(kLong));
  EXPECT_TRUE(is_told_of_a_bomb(growth, folder));
}

TEST(Growth, WhatOthersWriteIsNotTheRuns) {
  Folder folder, other;
  Growth growth({folder.path()}, 4 * kMega, 0);
  other.write("elsewhere", 8 * kMega);
  EXPECT_FALSE(growth.look(kLong));
  EXPECT_TRUE(is_told_of_a_bomb(growth, folder));
}

// While a large tree is walked in small steps the disk may fill: the run should stand still until
// the walk is done, and go on if it was others.
TEST(Growth, ALargeTreeIsWalkedWhileTheRunStandsStill) {
  Folder folder, other;
  for (int i = 0; i < 3000; i++)
    folder.write("file" + std::to_string(i), 0);
  Growth growth({folder.path()}, 4 * kMega, 0);
  EXPECT_FALSE(growth.look(0));
  EXPECT_FALSE(growth.wants_stillness());
  other.write("elsewhere", 20 * kMega);
  EXPECT_FALSE(growth.look(0));
  EXPECT_TRUE(growth.is_walking());
  EXPECT_TRUE(growth.wants_stillness());
  while (growth.is_walking())
    EXPECT_FALSE(growth.look(0));
  EXPECT_FALSE(growth.wants_stillness());
  folder.write("bomb", 20 * kMega);
  bool told = growth.look(0);
  EXPECT_TRUE(told || growth.wants_stillness());
  for (int i = 0; i < 1000 && !told; i++)
    told = growth.look(0);
  EXPECT_TRUE(told);
  EXPECT_FALSE(growth.wants_stillness()) << "told, it is paused";
}

TEST(Growth, FilesCountAsWellAsBytes) {
  constexpr uint64_t kMost = 1 << 16;
  struct statvfs facts;
  ASSERT_EQ(statvfs(testing::TempDir().c_str(), &facts), 0);
  if (facts.f_files == 0 || facts.f_favail < 3 * kMost) GTEST_SKIP() << "too few files are free";
  Folder folder;
  Growth growth({folder.path()}, 256 * kMega, 0);
  int here = open(folder.path().c_str(), O_PATH);
  uint64_t made = 0;
  auto make_until = [&](uint64_t count) {
    for (; made < count; made++)
      ASSERT_EQ(mknodat(here, std::to_string(made).c_str(), S_IFREG | 0600, 0), 0);
  };
  // Whoever removes files on this filesystem meanwhile makes it grow by less.
  bool told = false;
  for (uint64_t more = 1000; more <= kMost && !told; more += 4000) {
    make_until(kMost + more);
    for (int i = 0; i < 500 && !told; i++)  // on a busy machine a look may be cut short
      told = growth.look(kLong);
  }
  close(here);
  EXPECT_TRUE(told);
  EXPECT_EQ(growth.exceeded().bytes, 0u);
  EXPECT_EQ(growth.exceeded().files, kMost);
  EXPECT_GE(growth.grown().files, kMost);
  EXPECT_FALSE(growth.look(kLong));
}

TEST(Growth, NoneIsNotWatched) {
  Folder folder;
  EXPECT_FALSE(Growth({folder.path()}, policy::kNoLimit, 0).is_watched());
  EXPECT_FALSE(Growth({"/not/there"}, kMega, 0).is_watched());
  EXPECT_TRUE(Growth({folder.path()}, 0, 0).is_watched());
  EXPECT_TRUE(can_watch_growth(folder.path()));
  EXPECT_FALSE(can_watch_growth("/not/there"));
}

}  // namespace ringwall::processes
