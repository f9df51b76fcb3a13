#include "review/text_diff.h"

#include <gtest/gtest.h>

#include <random>

#include "base/text.h"

namespace ringwall::review {
namespace {

std::string words(const TextDiff& diff) {
  std::string out;
  for (const DiffLine& line : diff.lines)
    out += line.text + "\n";
  return out;
}

std::string diff(std::string_view before, std::string_view after) {
  DiffBudget budget;
  return words(diff_texts(before, after, budget));
}

std::string three(std::optional<std::string_view> base, std::string_view here,
                  std::string_view there) {
  DiffBudget budget;
  return words(diff_three(base, here, there, budget));
}

std::string counted(int from, int to) {
  std::string out;
  for (int i = from; i < to; i++)
    out += std::to_string(i) + "\n";
  return out;
}

TEST(TextDiffs, SameTextsHaveNone) {
  EXPECT_EQ(diff("", ""), "");
  EXPECT_EQ(diff("a\nb\n", "a\nb\n"), "");
}

TEST(TextDiffs, AreUnified) {
  EXPECT_EQ(diff("1\n2\n3\n4\n5\n6\n7\n8\n", "1\n2\n3\n4\nfive\n6\n7\n8\n"),
            "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
  EXPECT_EQ(diff("", "a\nb\n"), "@@ -0,0 +1,2 @@\n+a\n+b\n");
  EXPECT_EQ(diff("a\n", ""), "@@ -1 +0,0 @@\n-a\n");
}

TEST(TextDiffs, FarChangesHaveHunksOfTheirOwn) {
  std::string before = counted(0, 40), after = "x\n" + counted(0, 39) + "y\n";
  EXPECT_EQ(diff(before, after),
            "@@ -1,3 +1,4 @@\n+x\n 0\n 1\n 2\n@@ -37,4 +38,4 @@\n 36\n 37\n 38\n-39\n+y\n");
}

TEST(TextDiffs, TheEndWithoutANewlineIsSaid) {
  EXPECT_EQ(diff("a\n", "a"), "@@ -1 +1 @@\n-a\n+a\n\\ no newline at the end\n");
}

TEST(TextDiffs, NothingThatATerminalObeysIsLeft) {
  std::string shown = diff("", "\033[31mred\007\tC:\\x \xe2\x80\xae \x9b\r\n");
  EXPECT_EQ(shown, "@@ -0,0 +1 @@\n+\\x1b[31mred\\x07\tC:\\x \\xe2\\x80\\xae \\x9b\\x0d\n");
  EXPECT_LT(diff("", std::string(1 << 20, 'x')).size(), 2200u);
}

TEST(TextDiffs, TooManyLinesAreOnlyCounted) {
  std::string many(300'000, '\n');
  EXPECT_EQ(diff("a\n", many), "differs, 300000 lines\n");
}

// What the lines say, done to the old text, gives the new one.
std::string patched(const std::vector<std::string>& old, const TextDiff& diff) {
  std::string out;
  size_t at = 0;
  for (const DiffLine& line : diff.lines) {
    if (line.kind == DiffLine::Kind::place) {
      size_t first = std::stoul(line.text.substr(4));
      bool is_before = line.text.substr(4, line.text.find(' ', 4) - 4).ends_with(",0");
      for (size_t start = is_before ? first : first - 1; at < start; at++)
        out += old[at] + "\n";
    }
    if (line.kind == DiffLine::Kind::same || line.kind == DiffLine::Kind::removed) {
      EXPECT_EQ(line.text.substr(1), old[at]);
      at++;
    }
    if (line.kind == DiffLine::Kind::same || line.kind == DiffLine::Kind::added)
      out += line.text.substr(1) + "\n";
  }
  for (; at < old.size(); at++)
    out += old[at] + "\n";
  return out;
}

void check_random(unsigned seed, size_t most_lines, unsigned alphabet) {
  std::mt19937 random(seed);
  auto make = [&] {
    std::string text;
    for (size_t lines = random() % most_lines; lines > 0; lines--)
      text += std::to_string(random() % alphabet) + "\n";
    return text;
  };
  std::string before = make(), after = make();
  DiffBudget budget;
  std::vector<std::string> old = text::split(before, '\n');
  old.pop_back();
  EXPECT_EQ(patched(old, diff_texts(before, after, budget)), after) << "seed " << seed;
}

TEST(TextDiffs, LeadFromTheOldTextToTheNew) {
  for (unsigned seed = 0; seed < 500; seed++)
    check_random(seed, 30, 4);
  for (unsigned seed = 0; seed < 10; seed++)
    check_random(seed, 5000, 3);
  for (unsigned seed = 0; seed < 10; seed++)
    check_random(seed, 5000, 4000);
}

TEST(TextDiffs, FewChangesInManyLinesAreFew) {
  std::string before = counted(0, 50'000);
  std::string after = "first\n" + counted(0, 20'000) + "mid\n" + counted(20'001, 50'000) + "end\n";
  DiffBudget budget;
  TextDiff found = diff_texts(before, after, budget);
  EXPECT_EQ(found.added, 3u);
  EXPECT_EQ(found.removed, 1u);
}

TEST(TextDiffs, TheWorkOfAllTogetherIsBounded) {
  DiffBudget budget{1000};
  std::string before, after;
  for (int i = 0; i < 1000; i++) {
    before += i % 2 == 0 ? "a\n" : "b\n";
    after += i % 3 == 0 ? "a\n" : "b\n";
  }
  std::vector<std::string> old = text::split(before, '\n');
  old.pop_back();
  EXPECT_EQ(patched(old, diff_texts(before, after, budget)), after);
  EXPECT_EQ(budget.steps, 1000u);
}

TEST(ThreeWays, TellWhoChangedWhat) {
  EXPECT_EQ(three("a\nb\nc\nd\ne\n", "A\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n"),
            "@@ line 1 @@\nchanged here:\n-a\n+A\n b\n c\n d\nchanged by the run:\n-e\n+E\n");
  EXPECT_EQ(three("a\nb\n", "x\nb\n", "x\nb\n"),
            "@@ line 1 @@\nchanged alike on both sides:\n-a\n+x\n b\n");
}

TEST(ThreeWays, WhereBothChangedAllThreeAreShown) {
  EXPECT_EQ(three("a\nb\nc\n", "a\nhere\nc\n", "a\nthere\033\nc\n"),
            "@@ line 1 @@\n a\n<<<<<<< here\n-here\n||||||| at the start of the run\n b\n=======\n"
            "+there\\x1b\n>>>>>>> by the run\n c\n");
}

TEST(ThreeWays, WithoutABaseTheTwoSidesAreShown) {
  EXPECT_EQ(three(std::nullopt, "a\nhere\n", "a\nthere\n"),
            "-: here now; +: by the run\n@@ -1,2 +1,2 @@\n a\n-here\n+there\n");
}

}  // namespace
}  // namespace ringwall::review
