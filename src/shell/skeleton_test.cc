#include "shell/skeleton.h"

#include <gtest/gtest.h>

namespace ringwall::shell {
namespace {

std::string text_of(std::string_view text) { return skeleton_of(text).text; }

TEST(Skeleton, KeepsTheStructureAndNothingElse) {
  EXPECT_EQ(text_of("git push --force origin main"), "x");
  EXPECT_EQ(text_of("a && b -c || d; e | f &"), "x && x || x; x | x &");
  EXPECT_EQ(text_of("if a b; then c; else d; fi"), "if x; then x; else x; fi");
  EXPECT_EQ(text_of("while a; do b; done"), "while x; do x; done");
  EXPECT_EQ(text_of("f() { rm -rf x; }"), "x() { x; }");
}

TEST(Skeleton, HidesOperatorsThatAreQuoted) {
  EXPECT_EQ(text_of("echo 'a && b; c' \"d | e\" f\\;g"), "x");
  EXPECT_EQ(text_of("echo $(a; b) `c | d` ${e:-f;g}"), "x");
  EXPECT_EQ(text_of("[[ a && b || c ]] && d"), "x && x");
  EXPECT_EQ(text_of("(( a && b )) || c"), "x || x");
}

TEST(Skeleton, ReservedWordsCountOnlyWhereACommandBegins) {
  EXPECT_EQ(text_of("echo if then done"), "x");
  EXPECT_EQ(text_of("for if in then do; do echo done; done"), "for x in x x; do x; done");
  EXPECT_EQ(text_of("case x in fi) a;; esac"), "case x in x) x;; esac");
}

TEST(Skeleton, RedirectionsOfACommandAreAPartOfIt) {
  EXPECT_EQ(text_of("a > b 2>&1 < c; d"), "x; x");
  EXPECT_EQ(text_of("{ a; } > b"), "{ x; } >x");
}

TEST(Skeleton, SaysWhereEachByteWas) {
  std::string_view whole = "git push  &&   rm -rf x";
  Skeleton skeleton = skeleton_of(whole);
  ASSERT_EQ(skeleton.text, "x && x");
  EXPECT_EQ(skeleton.places, (std::vector<uint32_t>{0, 8, 10, 11, 12, 15, 23}));
}

// A long word costs the grammar no more than a short one.
TEST(Skeleton, IsAsLongAsTheStructureIs) {
  EXPECT_EQ(text_of("echo " + std::string(100000, 'a') + "; b"), "x; x");
  EXPECT_EQ(text_of("a" + std::string(100000, ' ') + "; b # " + std::string(100000, 'c')),
            "x ; x ");
}

TEST(Skeleton, GivesUpWhereThereIsMoreThanAnybodyWrites) {
  auto is_whole = [](const char* part, int times) {
    std::string text;
    for (int i = 0; i < times; i++)
      text += part;
    return skeleton_of(text).is_whole;
  };
  EXPECT_TRUE(is_whole("a b;", 1000));
  EXPECT_FALSE(is_whole("a b;", 100000));
  EXPECT_FALSE(is_whole("(", 100000));
}

TEST(Skeleton, ATestWithoutItsEndIsNone) {
  EXPECT_EQ(text_of("[[x; [[ a && b ]]; c"), "x; x; x");
  EXPECT_EQ(text_of("[[ a && b; [[ c && d; e"), "x && x; x && x; x");
}

TEST(Skeleton, FindsTheEndOfATest) {
  EXPECT_EQ(end_of_test("[[ a ]] b", 0), 7U);
  EXPECT_EQ(end_of_test("((1+2)) b", 0), 7U);
  EXPECT_EQ(end_of_test("[[ a", 0), 0U);
  EXPECT_EQ(end_of_test("[ a ]", 0), 0U);
}

}  // namespace
}  // namespace ringwall::shell
