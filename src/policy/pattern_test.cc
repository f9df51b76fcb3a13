#include "policy/pattern.h"

#include <gtest/gtest.h>

#include <string>

namespace ringwall::policy {

TEST(PolicyPattern, NamesFoldersAndStarsAreRead) {
  for (const char* pattern : {".envrc", ".vscode/", "a/b", "/top", "/a/b/", "*.rc", "x*y/z",
                              "[id].ts", "GIT/hooks/", "*", "a b"})
    EXPECT_TRUE(check_pattern(pattern)) << pattern;
}

TEST(PolicyPattern, WhatWouldQuietlyFitNothingIsRefused) {
  for (const char* pattern : {"/", "//", "a//b", "./a", "../a", "a/./b", "**", "a/**/b", "a?b",
                              "*.{a,b}", "!a", "~/a", "a\tb", "a\\*"}) {
    auto checked = check_pattern(pattern);
    ASSERT_FALSE(checked) << pattern;
    EXPECT_FALSE(checked.error().what.empty()) << pattern;
  }
  EXPECT_FALSE(check_pattern(std::string(1025, 'a')));
}

TEST(PolicyPattern, EverythingIsKnown) {
  EXPECT_TRUE(fits_everything("*"));
  EXPECT_TRUE(fits_everything("/*/"));
  EXPECT_FALSE(fits_everything("*.x"));
}

}  // namespace ringwall::policy
