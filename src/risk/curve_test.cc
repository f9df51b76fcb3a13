#include "risk/curve.h"

#include <gtest/gtest.h>

namespace ringwall::risk {
namespace {

std::string planted(int seconds, int number) {
  return R"({"n":1,"at":)" + std::to_string(seconds) + R"(,"event":"planted","path":"f)" +
         std::to_string(number) + R"("})";
}

Replay replay_of(const std::vector<std::string>& lines) {
  Replay replay;
  for (const std::string& line : lines)
    replay.take(line);
  return replay;
}

TEST(RiskCurve, OfNothingIsFlat) {
  EXPECT_EQ(curve(Replay(), 10'000, 4), std::vector<uint32_t>(4, 0));
  EXPECT_EQ(curve(Replay(), 0, 3), std::vector<uint32_t>(3, 0));
}

TEST(RiskCurve, RisesWhereTheLinesAre) {
  std::vector<std::string> lines;
  for (int i = 0; i < 10; i++)
    lines.push_back(planted(50 + i, i));
  Replay replay = replay_of(lines);
  std::vector<uint32_t> row = curve(replay, 100'000, 10);
  EXPECT_EQ(row[3], 0u);
  EXPECT_GT(row[5], 300'000u);
  EXPECT_EQ(row[5], replay.points().back().reading.score);
}

// A run that was quiet since then is not drawn as if it had ended with its last line.
TEST(RiskCurve, FallsWithTime) {
  std::vector<std::string> lines;
  for (int i = 0; i < 10; i++)
    lines.push_back(planted(1, i));
  Replay replay = replay_of(lines);
  std::vector<uint32_t> row = curve(replay, 3'600'000, 12);
  ASSERT_EQ(row.size(), 12u);
  for (size_t i = 1; i < row.size(); i++)
    EXPECT_LT(row[i], row[i - 1]) << i;
  EXPECT_EQ(row.back(), replay.score().look(3'600'000).score);
}

TEST(RiskCurve, AClockThatWentBackHidesNoLine) {
  Replay replay = replay_of({planted(10, 1), planted(20, 2)});
  EXPECT_EQ(curve(replay, 0, 4).back(), replay.points().back().reading.score);
}

}  // namespace
}  // namespace ringwall::risk
