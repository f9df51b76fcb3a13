#include "git/preferences.h"

#include <gtest/gtest.h>

namespace ringwall::git {
namespace {

using Taken = std::vector<std::pair<std::string, std::string>>;

TEST(GitPreferences, TakesWhoAndHowAndNothingElse) {
  Taken taken = take_git_preferences(
      "[core]\n\tname = no\n\tpager = evil\n\tautocrlf\n[user]\n\tname = Ann Smith\n"
      " email=\"a@b\"\n[pull]\nrebase = false\nrebase = true\n[alias]\nx = !evil\n");
  EXPECT_EQ(taken, (Taken{{"user.name", "Ann Smith"},
                          {"user.email", "a@b"},
                          {"core.autocrlf", "true"},
                          {"pull.rebase", "true"}}));
}

TEST(GitPreferences, WhatGitCannotReadGivesNone) {
  EXPECT_EQ(take_git_preferences("[user\nname = x\n"), Taken{});
}

TEST(GitPreferences, AValueThatATerminalObeysStaysOut) {
  EXPECT_EQ(take_git_preferences("[user]\n\tname = \"a\\nb\"\n\temail = \x1b[31m\n"), Taken{});
}

TEST(GitPreferences, AnIgnoreLineMeansOnePath) {
  EXPECT_EQ(ignore_line(".env"), "/.env\n");
  EXPECT_EQ(ignore_line("a b/[x]*"), "/a\\ b/\\[x\\]\\*\n");
  EXPECT_EQ(ignore_line("a\nb"), "");
}

}  // namespace
}  // namespace ringwall::git
