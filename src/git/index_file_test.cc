#include "git/index_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>

#include "base/file.h"
#include "base/tree.h"

namespace ringwall::git {
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

// git reads a large index in several threads, by a table of where to begin.
TEST_P(GitIndex, ATableOfPlacesHoldsTheSameEntries) {
  std::string plain = *describe_index(bytes());
  ASSERT_EQ(git({"config", "index.threads", "4"}), 0);
  ASSERT_EQ(git({"update-index", "--force-write-index"}), 0);
  std::string whole = bytes();
  size_t table = whole.find("IEOT");
  ASSERT_NE(table, std::string::npos);
  ASSERT_TRUE(describe_index(whole));
  EXPECT_EQ(*describe_index(whole), plain);
  for (size_t at : {table + 15, table + 19, table + 23, whole.find("EOIE") + 11}) {
    std::string other = whole;
    other[at] = static_cast<char>(other[at] ^ 1);
    EXPECT_FALSE(describe_index(other)) << at - table;
  }
}

// Who says another length than the name has says another name to git.
TEST_P(GitIndex, ANameOfAnotherLengthIsAnError) {
  std::string whole = bytes();
  size_t name = whole.find("src/deep/x");
  ASSERT_NE(name, std::string::npos);
  size_t length = name - 1 - (GetParam() == 4 ? 1 : 0);
  ASSERT_EQ(whole[length], 10);
  whole[length] = 9;
  EXPECT_FALSE(describe_index(whole));
}

TEST_P(GitIndex, TheLowerPartOfASplitOneIsNamed) {
  ASSERT_EQ(git({"update-index", "--split-index"}), 0);
  write("new", "new");
  ASSERT_EQ(git({"add", "new"}), 0);
  EXPECT_FALSE(describe_index(bytes()));
  std::vector<std::string> paths;
  auto parts = read_index(bytes(), 20, [&](const IndexEntry& entry) {
    // Those that git sees as perhaps changed replace those below.
    if (!entry.path.empty()) paths.emplace_back(entry.path);
    return Status();
  });
  ASSERT_TRUE(parts);
  EXPECT_EQ(paths, std::vector<std::string>{"new"});
  EXPECT_TRUE(file::read(top_ + "/.git/" + parts->below, 8 << 20));
}

// Each entry takes seventy bytes, and says a name of thousands.
TEST(LongNames, AreRefusedBeforeTheyTakeTime) {
  auto make = [](size_t first, size_t others) {
    std::string index("DIRC\0\0\0\4", 8);
    auto add32 = [&](size_t number) {
      for (int shift = 24; shift >= 0; shift -= 8)
        index += static_cast<char>(number >> shift);
    };
    add32(others + 1);
    auto add = [&](std::string_view dropped, const std::string& name, size_t length) {
      index += std::string(60, '\0');
      size_t flags = std::min<size_t>(length, 0xfff);
      index += {static_cast<char>(flags >> 8), static_cast<char>(flags)};
      index.append(dropped);
      index += name + '\0';
    };
    add({"\0", 1}, std::string(first, 'a'), first);
    for (size_t i = 0; i < others; i++)
      add("\1", "b", first);
    return index + std::string(20, '\0');
  };
  EXPECT_TRUE(describe_index(make(4096, 10)));
  EXPECT_FALSE(describe_index(make(4097, 10)));
  EXPECT_FALSE(describe_index(make(2 << 20, 1500)));
  EXPECT_FALSE(describe_index(make(4096, 100'000)));
  EXPECT_TRUE(describe_index(make(200, 100'000)));
}

INSTANTIATE_TEST_SUITE_P(Versions, GitIndex, ::testing::Values(2, 3, 4));

}  // namespace
}  // namespace ringwall::git
