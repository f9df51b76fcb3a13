#include "changes/git_index.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>

#include "base/file.h"
#include "base/tree.h"

namespace ringwall::changes {
namespace {

using Words = std::vector<std::string>;

// Indexes as git itself writes them.
class GitIndex : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    char name[] = "/tmp/ringwall-unit-index-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    top_ = name;
    ASSERT_EQ(git({"init", "-q"}), 0);
    ASSERT_EQ(git({"config", "index.version", std::to_string(GetParam())}), 0);
    ASSERT_EQ(mkdir((top_ + "/src").c_str(), 0755), 0);
    ASSERT_EQ(mkdir((top_ + "/src/deep").c_str(), 0755), 0);
    for (int n = 0; n < 300; n++)
      write("src/file" + std::to_string(n), std::to_string(n));
    write("src/deep/x", "x");
    ASSERT_EQ(git({"add", "."}), 0);
  }
  void TearDown() override {
    Fd tmp(open("/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    (void)tree::remove_at(tmp.get(), top_.substr(5));
  }

  void write(const std::string& name, const std::string& text) {
    std::ofstream(top_ + "/" + name, std::ios::app) << text << "\n";
  }
  int git(const Words& words) {
    std::vector<char*> arguments = {strdup("git"), strdup("-C"), strdup(top_.c_str())};
    for (const std::string& word : words)
      arguments.push_back(strdup(word.c_str()));
    arguments.push_back(nullptr);
    std::string home = "HOME=" + top_;
    char* environment[] = {home.data(), nullptr};
    pid_t child = -1;
    int status = -1;
    if (posix_spawnp(&child, "git", nullptr, nullptr, arguments.data(), environment) == 0)
      waitpid(child, &status, 0);
    for (char* argument : arguments)
      free(argument);
    return status;
  }
  std::string bytes() { return *file::read(top_ + "/.git/index", 8 << 20); }

  std::string top_;
};

TEST_P(GitIndex, OtherTimesAreNoChange) {
  std::string before = bytes();
  timespec long_ago[2] = {{1'000'000'000, 0}, {1'000'000'000, 0}};
  ASSERT_EQ(utimensat(AT_FDCWD, (top_ + "/src/file7").c_str(), long_ago, 0), 0);
  ASSERT_EQ(git({"update-index", "-q", "--refresh"}), 0);
  std::string after = bytes();
  EXPECT_NE(before, after);
  ASSERT_TRUE(describe_index(before));
  EXPECT_EQ(*describe_index(before), *describe_index(after));
}

TEST_P(GitIndex, OtherEntriesAre) {
  std::string before = *describe_index(bytes());
  write("src/file7", "more");
  write("new", "new");
  const Words kChanges[] = {{"add", "src/file7"},
                            {"rm", "-q", "--cached", "src/file9"},
                            {"add", "new"},
                            {"update-index", "--chmod=+x", "src/file8"},
                            {"update-index", "--assume-unchanged", "src/file10"},
                            {"mv", "src/file11", "src/file12b"}};
  for (const Words& change : kChanges) {
    ASSERT_EQ(git(change), 0);
    std::string after = *describe_index(bytes());
    EXPECT_NE(before, after) << change[0] << " " << change[1];
    before = after;
  }
}

TEST_P(GitIndex, DamageIsAnErrorAndNothingElse) {
  std::string whole = bytes();
  for (size_t cut = 0; cut < 3000; cut += 7)
    (void)describe_index(whole.substr(0, cut));
  EXPECT_FALSE(describe_index(whole.substr(0, 100)));
  for (size_t at = 0; at < 2000; at++) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0xff);
    (void)describe_index(damaged);
  }
  EXPECT_FALSE(describe_index(""));
}

INSTANTIATE_TEST_SUITE_P(Versions, GitIndex, ::testing::Values(2, 3, 4));

}  // namespace
}  // namespace ringwall::changes
