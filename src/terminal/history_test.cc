#include "terminal/history.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace ringwall::terminal {
namespace {

std::string kept(const History& history) {
  std::string all;
  int pieces = 0;
  history.for_each([&](std::string_view piece) {
    EXPECT_FALSE(piece.empty());
    all += piece;
    pieces++;
  });
  EXPECT_LE(pieces, 2);
  return all;
}

TEST(History, KeepsAllThatFits) {
  History history(16);
  EXPECT_TRUE(history.empty());
  EXPECT_EQ(kept(history), "");
  history.append("abc", false);
  history.append("", true);
  history.append("defgh", false);
  EXPECT_FALSE(history.empty());
  EXPECT_EQ(kept(history), "abcdefgh");
  history.append("01234567", true);
  EXPECT_EQ(kept(history), "abcdefgh01234567");
}

TEST(History, BeginsAtRestOnceTheBeginningIsGone) {
  History history(16);
  history.append("aaaaaa", true);
  history.append("bbbb", false);
  history.append("cccc", true);
  history.append("dd", true);
  EXPECT_EQ(kept(history), "aaaaaabbbbccccdd");
  history.append("e", true);
  EXPECT_EQ(kept(history), "bbbbccccdde");
  history.append("ffffff", true);
  EXPECT_EQ(kept(history), "ddeffffff") << "what follows b was not at rest";
}

TEST(History, IsEmptyWhereNothingIsAtRest) {
  History history(8);
  history.append("aaaa", false);
  history.append("bbbbbb", false);
  EXPECT_EQ(kept(history), "");
  EXPECT_FALSE(history.empty());
  history.append("", true);
  history.append("c", false);
  EXPECT_EQ(kept(history), "c");
}

TEST(History, AHugePieceLeavesItsTail) {
  History history(8);
  history.append("before", true);
  history.append("0123456789\nab\ncd", true);
  EXPECT_EQ(kept(history), "ab\ncd");
  history.append("0123456789a\x1b[mcd", true);
  EXPECT_EQ(kept(history), "\x1b[mcd");
  history.append("0123456789abcdefgh", true);
  EXPECT_EQ(kept(history), "abcdefgh");
  history.append(
      "01234567\xe2\x82\xac"
      "abcdef",
      true);
  EXPECT_EQ(kept(history), "abcdef") << "a cut character is no beginning";
  history.append("012345678901234\n", true);
  EXPECT_EQ(kept(history), "") << "nothing stands behind its last line";
  history.append("xy", true);
  EXPECT_EQ(kept(history), "xy");
}

TEST(History, ClearForgetsAll) {
  History history(8);
  history.append("0123456789", true);
  history.clear();
  EXPECT_TRUE(history.empty());
  EXPECT_EQ(kept(history), "");
  history.append("ab", true);
  EXPECT_EQ(kept(history), "ab");
}

TEST(History, ShortPiecesDoNotCostTheHistory) {
  History history;
  for (int i = 0; i < 3'000'000; i++)
    history.append("x", true);
  EXPECT_GT(kept(history).size(), History::kUsualCapacity - History::kUsualCapacity / 128);
}

TEST(History, IsAlwaysATailThatBeginsAtRest) {
  std::mt19937 random(13);
  for (int round = 0; round < 300; round++) {
    size_t capacity = 1 + random() % 100;
    History history(capacity);
    std::string all;
    for (int i = 0; i < 200; i++) {
      bool rests = random() % 2 == 0;
      std::string piece(random() % capacity, static_cast<char>('a' + random() % 26));
      if (rests) piece += '|';
      history.append(piece, rests);
      all += piece;
      std::string tail = kept(history);
      ASSERT_LE(tail.size(), capacity);
      ASSERT_TRUE(all.ends_with(tail));
      size_t dropped = all.size() - tail.size();
      ASSERT_TRUE(dropped == 0 || all.size() > capacity);
      ASSERT_TRUE(dropped == 0 || tail.empty() || all[dropped - 1] == '|');
    }
  }
}

}  // namespace
}  // namespace ringwall::terminal
