#include "gate/gap_match.h"

#include <gtest/gtest.h>

namespace ringwall::gate {
namespace {

using shell::Word;
using Kind = Word::Gap::Kind;

// "a…b": a gap of any text; "a*b": of a name.
Word word(std::string_view text, bool splits = false) {
  Word out;
  out.splits = splits;
  while (!text.empty()) {
    if (text.starts_with("…")) {
      out.gaps.push_back({static_cast<uint32_t>(out.text.size()), Kind::text});
      text.remove_prefix(std::string_view("…").size());
    } else if (text[0] == '*') {
      out.gaps.push_back({static_cast<uint32_t>(out.text.size()), Kind::name});
      text.remove_prefix(1);
    } else {
      out.text += text[0];
      text.remove_prefix(1);
    }
  }
  return out;
}

TEST(GapMatch, GlobsTakeBlanksAndSlashes) {
  EXPECT_TRUE(fits_glob("git push origin a/b", "git push *"));
  EXPECT_TRUE(fits_glob("git push", "git*"));
  EXPECT_TRUE(fits_glob("aXbXc", "*X*c"));
  EXPECT_FALSE(fits_glob("git pull", "git push*"));
  EXPECT_FALSE(fits_glob("git", "git *"));
  EXPECT_TRUE(fits_glob("", "*"));
}

TEST(GapMatch, WhatMayFitAndWhatSurelyDoes) {
  EXPECT_TRUE(may_fit(word("git …"), "git push"));
  EXPECT_TRUE(may_fit(word("git …"), "git push *"));
  EXPECT_TRUE(may_fit(word("… push"), "git push"));
  EXPECT_FALSE(may_fit(word("git …"), "npm *"));
  EXPECT_FALSE(may_fit(word("git …x"), "git push"));
  EXPECT_TRUE(surely_fits(word("npm run …"), "npm run *"));
  EXPECT_FALSE(surely_fits(word("npm …"), "npm run *"));
}

TEST(GapMatch, AShellsStarIsOneName) {
  EXPECT_TRUE(may_fit(word("rm *.o"), "rm *"));
  EXPECT_TRUE(may_fit(word("rm *.o"), "rm a.o"));
  EXPECT_FALSE(may_fit(word("rm *.o"), "rm -rf *"));
  EXPECT_FALSE(may_fit(word("rm *.o"), "rm src/a.o"));
}

TEST(GapMatch, WhatMayVanishTakesItsBlankAlong) {
  std::vector<Word> words = {word("git"), word("push"), word("…", true)};
  Word joined = join_words(words);
  EXPECT_TRUE(may_fit(joined, "git push"));
  EXPECT_TRUE(may_fit(joined, "git push --force origin"));
  EXPECT_FALSE(may_fit(joined, "git pull"));
}

TEST(GapMatch, LongTextsAreNotTriedForever) {
  Word text = word(std::string(1 << 20, 'a') + "…");
  std::string glob;
  for (int i = 0; i < 1000; i++)
    glob += "a*";
  EXPECT_TRUE(may_fit(text, glob + "b"));
}

}  // namespace
}  // namespace ringwall::gate
