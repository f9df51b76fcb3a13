#include "shell/wrappers.h"

#include <gtest/gtest.h>

#include "shell/value.h"

namespace ringwall::shell {
namespace {

std::vector<Word> words_of(std::initializer_list<const char*> texts) {
  std::vector<Word> words;
  for (const char* text : texts)
    words.push_back(literal_word(text));
  return words;
}

// The inner command, or the code behind a "code:".
std::string inside(std::initializer_list<const char*> texts) {
  std::optional<Unwrapped> inner = unwrap(words_of(texts));
  if (!inner) return "none";
  if (inner->code) return "code: " + inner->code->text;
  return joined(inner->words).text;
}

TEST(Wrappers, TakesTheWrapperAndItsOptionsAway) {
  EXPECT_EQ(inside({"sudo", "-u", "me", "git", "push"}), "git push");
  EXPECT_EQ(inside({"/usr/bin/sudo", "git", "push"}), "git push");
  EXPECT_EQ(inside({"timeout", "-k", "5", "10", "git", "push"}), "git push");
  EXPECT_EQ(inside({"nice", "-n", "5", "git", "push"}), "git push");
  EXPECT_EQ(inside({"xargs", "-n", "1", "rm"}).substr(0, 2), "rm");
  EXPECT_EQ(inside({"git", "push"}), "none");
}

TEST(Wrappers, KnowsWhatEnvSets) {
  std::optional<Unwrapped> inner = unwrap(words_of({"env", "A=b", "git", "push"}));
  ASSERT_TRUE(inner);
  EXPECT_EQ(inner->name, "env");
  EXPECT_EQ(joined(inner->words).text, "git push");
  ASSERT_EQ(inner->assignments.size(), 1U);
  EXPECT_EQ(inner->assignments[0].name, "A");
  EXPECT_EQ(inner->assignments[0].value.text, "b");
}

TEST(Wrappers, CodeOfAShellIsCode) {
  EXPECT_EQ(inside({"sh", "-c", "rm x"}), "code: rm x");
  EXPECT_EQ(inside({"bash", "-lc", "rm x"}), "code: rm x");
  std::optional<Unwrapped> inner = unwrap(words_of({"sh", "-c", "rm $1", "_", "x"}));
  ASSERT_TRUE(inner);
  EXPECT_EQ(inner->code_arguments.size(), 2U);
}

TEST(Wrappers, AnotherHostOrContainerIsElsewhere) {
  std::optional<Unwrapped> there = unwrap(words_of({"ssh", "host", "rm x"}));
  ASSERT_TRUE(there);
  EXPECT_TRUE(there->elsewhere);
  std::optional<Unwrapped> here = unwrap(words_of({"nohup", "rm", "x"}));
  ASSERT_TRUE(here);
  EXPECT_FALSE(here->elsewhere);
}

TEST(Wrappers, WhatOnlyAsksRunsNothing) {
  EXPECT_EQ(inside({"command", "-v", "git"}), "none");
  EXPECT_EQ(inside({"command", "git"}), "git");
}

TEST(Wrappers, ShellsReadInputOrAFile) {
  std::optional<ShellInput> input = shell_input(words_of({"bash"}));
  ASSERT_TRUE(input);
  EXPECT_TRUE(input->reads_input);
  std::optional<ShellInput> file = shell_input(words_of({"bash", "x.sh"}));
  ASSERT_TRUE(file && file->file);
  EXPECT_EQ(file->file->text, "x.sh");
  EXPECT_FALSE(shell_input(words_of({"cat"})));
}

TEST(Wrappers, AProgramIsTheLastPartOfItsPath) {
  EXPECT_EQ(program_name(literal_word("/usr/bin/git")), "git");
  EXPECT_EQ(program_name(unknown_word()), "");
  EXPECT_TRUE(is_shell("dash"));
  EXPECT_FALSE(is_shell("git"));
}

}  // namespace
}  // namespace ringwall::shell
