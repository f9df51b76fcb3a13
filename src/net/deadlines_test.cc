#include "net/deadlines.h"

#include <gtest/gtest.h>

namespace ringwall::net {
namespace {

TEST(Deadlines, ComeInTheirOrder) {
  Deadlines deadlines;
  EXPECT_EQ(deadlines.patience(0), -1);
  deadlines.set(1, 30);
  deadlines.set(2, 10);
  deadlines.set(3, 10);
  EXPECT_EQ(deadlines.patience(10 - 2'500'000), 3);  // never too short
  EXPECT_EQ(deadlines.patience(11), 0);
  EXPECT_FALSE(deadlines.take_due(9));
  EXPECT_EQ(deadlines.take_due(10), 2u);
  EXPECT_EQ(deadlines.take_due(10), 3u);
  EXPECT_FALSE(deadlines.take_due(29));
  EXPECT_EQ(deadlines.take_due(31), 1u);
  EXPECT_EQ(deadlines.patience(0), -1);
}

TEST(Deadlines, ALaterWordCounts) {
  Deadlines deadlines;
  deadlines.set(1, 30);
  deadlines.set(1, 5);
  EXPECT_EQ(deadlines.size(), 1u);
  EXPECT_EQ(deadlines.take_due(5), 1u);
  EXPECT_FALSE(deadlines.take_due(100));
}

TEST(Deadlines, WhoLeavesLeavesNothingBehind) {
  Deadlines deadlines;
  for (uint64_t whom = 0; whom < 1000; whom++) {
    deadlines.set(whom, 30);
    deadlines.drop(whom);
    deadlines.drop(whom);
  }
  EXPECT_EQ(deadlines.size(), 0u);
  EXPECT_EQ(deadlines.patience(0), -1);
}

}  // namespace
}  // namespace ringwall::net
