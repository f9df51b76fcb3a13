#include "policy/pattern.h"

#include <gtest/gtest.h>

#include <string>

namespace ringwall::policy {

TEST(PolicyPattern, NamesFoldersAndStarsAreRead) {
  for (const char* pattern :
       {".envrc",     ".vscode/", "a/b",     "/top",   "/a/b/",       "*.rc",   "x*y/z", "[id].ts",
        "GIT/hooks/", "*",        "a b",     "**",     "**/a",        "a/**/b", "a?b",   "a\\*",
        "\\!a",       "\\#a",     "\\{a\\}", "[!a-z]", "[[:digit:]]", "a ",     "~a"})
    EXPECT_TRUE(check_pattern(pattern)) << pattern;
}

TEST(PolicyPattern, WhatWouldQuietlyFitNothingIsRefused) {
  for (const char* pattern :
       {"",        " ",  "/",   "//",    "a//b",  "./a",        "../a",      "a/./b",
        "*.{a,b}", "!a", "#a",  "~/a",   "a\tb",  "a\nb",       "a\\",       "a\\/b",
        "[a",      "[]", "a**", "**b/c", "[z-a]", "[[:word:]]", "[\xc3\xa9]"}) {
    auto checked = check_pattern(pattern);
    ASSERT_FALSE(checked) << pattern;
    EXPECT_FALSE(checked.error().what.empty()) << pattern;
  }
  EXPECT_FALSE(check_pattern(std::string(4097, 'a')));
}

TEST(PolicyPattern, EverythingIsKnown) {
  EXPECT_TRUE(fits_everything("*"));
  EXPECT_TRUE(fits_everything("/*/"));
  EXPECT_TRUE(fits_everything("**/*"));
  EXPECT_TRUE(fits_everything("?*  "));
  EXPECT_FALSE(fits_everything("*.x"));
  EXPECT_FALSE(fits_everything("?"));
  EXPECT_FALSE(fits_everything("\\*"));
}

}  // namespace ringwall::policy
