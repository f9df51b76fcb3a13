#include "shell/rough.h"

#include <gtest/gtest.h>

#include "shell/value.h"

namespace ringwall::shell {
namespace {

// One line for each command, … where something is unknown.
std::string cut(std::string_view text) {
  std::string lines;
  for (const std::vector<Word>& command : rough_commands(text).commands) {
    if (!lines.empty()) lines += "\n";
    for (size_t i = 0; i < command.size(); i++) {
      if (i > 0) lines += " ";
      for (char c : to_code(command[i]))
        lines += c == kTextGapByte || c == kNameGapByte ? "…" : std::string(1, c);
    }
  }
  return lines;
}

TEST(Rough, CutsAtWhatCouldEndACommand) {
  EXPECT_EQ(cut("a b; c && d | e\nf (g) `h`"), "a b\nc\nd\ne\nf\ng\nh");
  EXPECT_EQ(cut("if a; then b; fi"), "a\nb");
  EXPECT_EQ(cut("a >b <c"), "a b c");
}

TEST(Rough, ReadsThroughQuotesAndEscapes) {
  EXPECT_EQ(cut("r\\m -r\"f\" x"), "f\nx\nrm -rf x");
  EXPECT_EQ(cut("a \\\n b"), "a b");
  EXPECT_EQ(cut("rm $X ${Y:-z} *"), "rm … …:-z} …");
}

TEST(Rough, WhatIsQuotedIsACommandToo) {
  EXPECT_EQ(cut("sh -c 'rm x'"), "rm x\nsh -c rm x");
  EXPECT_EQ(cut("f --run=\"rm x\""), "rm x\nf --run=rm x");
  EXPECT_NE(cut(R"(sh -c "sh -c \"rm x\"")").find("rm x\n"), std::string::npos);
}

TEST(Rough, HasEachCommandOnce) {
  std::string many;
  for (int i = 0; i < 10000; i++)
    many += "a b; ";
  RoughLook look = rough_commands(many + "rm x");
  EXPECT_TRUE(look.is_whole);
  ASSERT_EQ(look.commands.size(), 2u);
  EXPECT_EQ(look.commands[1][0].text, "rm");
}

TEST(Rough, SaysWhenThereIsMore) {
  auto is_whole = [](int commands) {
    std::string many;
    for (int i = 0; i < commands; i++)
      many += "a" + std::to_string(i) + ";";
    return rough_commands(many).is_whole;
  };
  EXPECT_TRUE(is_whole(1000));
  EXPECT_FALSE(is_whole(10000));
  std::string words;
  for (int i = 0; i < 20000; i++)
    words += "a ";
  EXPECT_FALSE(rough_commands(words).is_whole);
}

}  // namespace
}  // namespace ringwall::shell
