#include "git/index_path.h"

#include <gtest/gtest.h>

namespace ringwall::git {
namespace {

constexpr uint32_t kFile = 0100644, kLink = 0120000, kFolder = 0040000;

TEST(IndexPath, WhatGitNeverAdds) {
  for (const char* path : {"",
                           "/etc/passwd",
                           "../x",
                           "a/../x",
                           "a/..",
                           "./x",
                           "a//b",
                           "a/",
                           ".git",
                           ".git/hooks/x",
                           "a/.GIT/config",
                           "a/.Git",
                           "git~1/config",
                           "GIT~1",
                           ".git./x",
                           ".git /x",
                           ".git . ./x",
                           ".git::$INDEX_ALLOCATION/x",
                           ".git:x",
                           ".g\u200cit/x",
                           "\ufeff.git/x",
                           ".git\u206f"})
    EXPECT_FALSE(is_index_path(path, kFile)) << path;
  EXPECT_FALSE(is_index_path("a/.gitmodules", kLink));
}

TEST(IndexPath, WhatItAdds) {
  for (const char* path : {"a", "a/b", ".gitignore", ".gitmodules", ".github/x", "x.git/config",
                           "...", "a/..b", ".gita", "git~10", "git", ".g/it", "a.git", " .git "})
    EXPECT_TRUE(is_index_path(path, kFile)) << path;
  EXPECT_TRUE(is_index_path("a/b/", kFolder));
  EXPECT_TRUE(is_index_path("a/x.gitmodules", kLink));
  EXPECT_TRUE(is_index_path("../a", kFile, 3));  // what comes before is known
}

}  // namespace
}  // namespace ringwall::git
