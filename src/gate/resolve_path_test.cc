#include "gate/resolve_path.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace ringwall::gate {
namespace {

std::string resolve_path(const std::string& path, const std::string& folder) {
  return PathResolver().resolve(path, folder);
}

class ResolvePath : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/resolve-path-XXXXXX";
    top_ = std::filesystem::canonical(mkdtemp(name));
    mkdir((top_ + "/a").c_str(), 0700);
    mkdir((top_ + "/a/deep").c_str(), 0700);
    EXPECT_EQ(symlink("a", (top_ + "/link").c_str()), 0);
    EXPECT_EQ(symlink("a/deep", (top_ + "/down").c_str()), 0);
    EXPECT_EQ(symlink((top_ + "/a").c_str(), (top_ + "/whole").c_str()), 0);
    EXPECT_EQ(symlink("circle", (top_ + "/circle").c_str()), 0);
  }
  void TearDown() override { std::filesystem::remove_all(top_); }
  std::string top_;
};

TEST_F(ResolvePath, FollowsLinksAndDotsAsTheKernelDoes) {
  EXPECT_EQ(resolve_path(top_ + "/link/x", "/"), top_ + "/a/x");
  EXPECT_EQ(resolve_path(top_ + "/whole/deep", "/"), top_ + "/a/deep");
  EXPECT_EQ(resolve_path(top_ + "/down/../x", "/"), top_ + "/a/x");  // not top/x
  EXPECT_EQ(resolve_path(top_ + "/a/../a/./x//", "/"), top_ + "/a/x");
  EXPECT_EQ(resolve_path(top_ + "/none/../a", "/"), top_ + "/a");
  EXPECT_EQ(resolve_path("/../..", "/"), "/");
}

TEST_F(ResolvePath, ACircleEnds) {
  EXPECT_EQ(resolve_path(top_ + "/circle/x", "/"), top_ + "/circle/x");
}

TEST_F(ResolvePath, ProcessLinksAreTheCallsNotOurs) {
  EXPECT_EQ(resolve_path("/proc/self/root" + top_ + "/link", "/"), top_ + "/a");
  EXPECT_EQ(resolve_path("/proc/self/cwd/x", top_), top_ + "/x");
  EXPECT_EQ(resolve_path("/proc/1/root/x", "/"), "/x");
  EXPECT_EQ(resolve_path("/proc/thread-self/cwd", top_), top_);
  EXPECT_EQ(resolve_path("/proc/self/task/7/cwd/x", top_), top_ + "/x");
}

}  // namespace
}  // namespace ringwall::gate
