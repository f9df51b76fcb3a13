#include "git/branches.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/fd.h"

namespace ringwall::git {
namespace {

class GitBranchesTest : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/git-branches-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    top_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(top_); }
  void put(const std::string& name, const std::string& text) {
    std::filesystem::create_directories((top_ / name).parent_path());
    std::ofstream(top_ / name) << text;
  }
  std::optional<Branches> read() {
    return read_branches(Fd(open(top_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)).get());
  }

  std::filesystem::path top_;
};

TEST_F(GitBranchesTest, AreThoseInFilesAndThosePacked) {
  put("refs/heads/main", "x");
  put("refs/heads/fix/one", "x");
  put("packed-refs",
      "# pack-refs with: peeled\n1 refs/heads/old\n2 refs/tags/v1\n^3\n4 refs/heads/fix/two");
  EXPECT_EQ(read(), (Branches{"fix/one", "fix/two", "main", "old"}));
}

TEST_F(GitBranchesTest, AreUnknownIfRefsAreKeptInAnotherWay) {
  EXPECT_FALSE(read());
  put("refs/heads", "this repository uses the reftable format\n");
  EXPECT_FALSE(read());
}

TEST_F(GitBranchesTest, OtherNamesAreThoseThatCameAndWereBranches) {
  put("refs/heads/main", "ref: refs/heads/other\n");
  put("refs/heads/fix/one", "ref:\trefs/heads/x");
  put("refs/heads/plain", "1234\n");
  put("refs/heads/new", "ref: refs/heads/x\n");
  put("refs/heads/padded", "ref: refs/heads/x" + std::string(9000, ' ') + "\n");
  put("refs/heads/a/closed", "x");
  put("refs/heads/z/closed", "x");
  for (const char* closed : {"refs/heads/a", "refs/heads/z"})
    std::filesystem::permissions(top_ / closed, std::filesystem::perms::none);
  Fd folder(open(top_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  Branches branches = {"fix/one", "gone", "main", "padded", "plain"};
  auto found = find_other_names(folder.get(), branches, 0);
  std::ranges::sort(found, {}, &OtherName::branch);
  EXPECT_EQ(found, (std::vector<OtherName>{{"fix/one", "refs/heads/x"},
                                           {"main", "refs/heads/other"},
                                           {"padded", "refs/heads/x"}}));
  EXPECT_TRUE(find_other_names(folder.get(), branches, INT64_MAX).empty());
  for (const char* closed : {"refs/heads/a", "refs/heads/z"})
    std::filesystem::permissions(top_ / closed, std::filesystem::perms::owner_all);
}

}  // namespace
}  // namespace ringwall::git
