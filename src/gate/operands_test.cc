#include "gate/operands.h"

#include <gtest/gtest.h>

namespace ringwall::gate {
namespace {

using shell::Word;

Word gap_word(std::string before, std::string after, Word::Gap::Kind kind = Word::Gap::Kind::text) {
  Word word;
  word.text = before + after;
  word.gaps = {{static_cast<uint32_t>(before.size()), kind}};
  return word;
}

uint16_t class_of(const Word& word, std::string_view folder = "/home/u/app") {
  PathResolver resolver;
  return classify(word, {"/home/u", "/home/u/app", folder, &resolver});
}
uint16_t class_of(const char* text) { return class_of(Word{text}); }

TEST(Operands, WhatAPathIsToTheWorkspace) {
  EXPECT_EQ(class_of("/"), operand::root);
  EXPECT_EQ(class_of("/home/u/app"), operand::workspace);
  EXPECT_EQ(class_of("."), operand::workspace);
  EXPECT_EQ(class_of("./src/.."), operand::workspace);
  EXPECT_EQ(class_of("src"), 0);
  EXPECT_EQ(class_of(".git"), operand::git);
  EXPECT_EQ(class_of(".git/index.lock"), 0);
  EXPECT_TRUE(class_of("..") & operand::above);
  EXPECT_TRUE(class_of("/home/u") & operand::home);
  EXPECT_TRUE(class_of("/home/v") & operand::home);
  EXPECT_TRUE(class_of("/etc/hosts") & operand::system);
  EXPECT_EQ(class_of("/home/u/notes"), operand::outside);
  EXPECT_EQ(class_of("/tmp/x"), 0);
  EXPECT_EQ(class_of("/dev/null"), 0);
  EXPECT_TRUE(class_of("/dev/sda") & operand::device);
}

TEST(Operands, WhatIsNotKnown) {
  EXPECT_EQ(class_of(gap_word("", "")), operand::unknown);
  EXPECT_EQ(class_of(gap_word("", "/")), operand::unknown);
  EXPECT_EQ(class_of(gap_word("", "/build")), 0);
  EXPECT_EQ(class_of(gap_word("/", "")), operand::root);  // it may be nothing
  EXPECT_EQ(class_of(gap_word("/tmp/x-", "")), 0);
  EXPECT_EQ(class_of(Word{"."}, ""), operand::unknown);  // nobody knows where
  EXPECT_EQ(class_of(Word{"build"}, ""), 0);
}

TEST(Operands, AStarIsAllThatLiesThere) {
  constexpr auto kName = Word::Gap::Kind::name;
  EXPECT_EQ(class_of(gap_word("", "", kName)), operand::workspace);
  EXPECT_EQ(class_of(gap_word("/", "", kName)), operand::root);
  EXPECT_EQ(class_of(gap_word("build/", "", kName)), 0);
  EXPECT_EQ(class_of(gap_word("", ".o", kName)), 0);
}

TEST(Operands, SubcommandsStandBehindOptions) {
  std::vector<Word> words = {{"/usr/bin/git"}, {"-C"}, {"sub"}, {"push"}, {"-f"}, {"--"}, {"-x"}};
  Operands operands(words);
  EXPECT_EQ(operands.program, "git");
  ASSERT_EQ(operands.words.size(), 2u);
  EXPECT_EQ(operands.words[0]->text, "push");
  EXPECT_EQ(operands.words[1]->text, "-x");
  ASSERT_EQ(operands.flags.size(), 1u);
  EXPECT_EQ(operands.flags[0]->text, "-f");
  std::vector<shell::Word> python{{"python3.11"}}, nodemon{{"nodemon"}};
  EXPECT_EQ(Operands(python).program, "python");
  EXPECT_EQ(Operands(nodemon).program, "nodemon");
}

}  // namespace
}  // namespace ringwall::gate
