#include "verify/listing.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/tree.h"

namespace ringwall::verify {
namespace {

class Listing : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/ringwall-unit-listing-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    top_ = name;
    folder_ = *file::make_dirs(top_ + "/a/b/c");
    ASSERT_TRUE(file::replace_at(folder_.get(), "file", "one"));
    before_ = list_tree(top_, {});
  }
  void TearDown() override {
    auto parent = file::open("/tmp", O_RDONLY | O_DIRECTORY);
    ASSERT_TRUE(tree::remove_at(parent->get(), top_.substr(5)));
  }

  std::string difference() { return first_difference(before_, list_tree(top_, {})); }

  std::string top_;
  Fd folder_;
  std::vector<std::string> before_;
};

TEST_F(Listing, SameIsSame) { EXPECT_EQ(difference(), ""); }

TEST_F(Listing, SeesNewContentOfTheSameLength) {
  struct stat facts;
  ASSERT_EQ(fstatat(folder_.get(), "file", &facts, 0), 0);
  Fd file(openat(folder_.get(), "file", O_WRONLY | O_CLOEXEC));
  ASSERT_TRUE(file::write_all(file.get(), "two"));
  timespec times[] = {facts.st_atim, facts.st_mtim};
  ASSERT_EQ(futimens(file.get(), times), 0);
  EXPECT_EQ(difference(), top_ + "/a/b/c/file");
}

TEST_F(Listing, SeesModesAndNewNames) {
  ASSERT_EQ(fchmodat(folder_.get(), "file", 0755, 0), 0);
  EXPECT_EQ(difference(), top_ + "/a/b/c/file");
  before_ = list_tree(top_, {});
  ASSERT_EQ(mkdirat(folder_.get(), "new", 0700), 0);
  EXPECT_NE(difference(), "");
}

TEST_F(Listing, GoesNoDeeperThanAsked) {
  EXPECT_EQ(list_tree(top_, {.levels = 2, .in_full = false}).size(), 2u);
  EXPECT_EQ(list_tree(top_, {.left_out = {top_ + "/a/b"}}).size(), 2u);
  EXPECT_EQ(list_tree(top_ + "/missing", {}).size(), 1u);
}

}  // namespace
}  // namespace ringwall::verify
