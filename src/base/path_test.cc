#include "base/path.h"

#include <gtest/gtest.h>

namespace ringwall::path {

TEST(Path, NormalizeRemovesDotsAndSlashes) {
  EXPECT_EQ(normalize("/a//b/./c/../d/"), "/a/b/d");
  EXPECT_EQ(normalize("/../.."), "/");
  EXPECT_EQ(normalize("/"), "/");
}

TEST(Path, AbsoluteJoinsRelativeOnly) {
  EXPECT_EQ(absolute("b/../c", "/a"), "/a/c");
  EXPECT_EQ(absolute("/b", "/a"), "/b");
  EXPECT_EQ(absolute("..", "/a/b"), "/a");
}

TEST(Path, BeneathStopsAtComponentBorders) {
  EXPECT_TRUE(is_beneath("/a/b", "/a"));
  EXPECT_TRUE(is_beneath("/a", "/a"));
  EXPECT_TRUE(is_beneath("/a", "/"));
  // CVE-2025-54794: a prefix comparison took /home/user-evil for a part of /home/user.
  EXPECT_FALSE(is_beneath("/home/user-evil", "/home/user"));
  EXPECT_FALSE(is_beneath("/a", "/a/b"));
}

TEST(Path, PartsOfAPath) {
  EXPECT_EQ(parent("/a/b"), "/a");
  EXPECT_EQ(parent("/a"), "/");
  EXPECT_EQ(basename("/a/b"), "b");
  EXPECT_EQ(components("/a//b/").size(), 2u);
}

}  // namespace ringwall::path
