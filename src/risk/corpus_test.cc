// Recorded runs of seven kinds (tests/corpus/risk/), and the levels that they must reach or not.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "risk/plot.h"
#include "risk/replay.h"

namespace ringwall::risk {
namespace {

std::vector<std::string> lines_of(const std::string& name) {
  std::ifstream file(RINGWALL_SOURCE "/tests/corpus/risk/" + name + ".jsonl");
  EXPECT_TRUE(file) << name;
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);)
    lines.push_back(line);
  return lines;
}

struct Lived {
  Level highest = Level::normal;
  uint32_t highest_score = 0;
  std::vector<Reading> readings;
};

// As the supervisor does it: hears each line, looks at once.
Lived live_through(const std::vector<std::string>& lines) {
  Score score;
  Thresholds thresholds = thresholds_of({});
  Level level = Level::normal;
  Lived lived;
  for (const std::string& line : lines) {
    auto at =
        static_cast<int64_t>(boost::json::parse(line).at("at").to_number<double>() * 1000 + 0.5);
    score.hear(at, line);
    Reading reading = score.look(at);
    level = next_level(thresholds, level, reading.score, reading.seen);
    lived.highest = std::max(lived.highest, level);
    lived.highest_score = std::max(lived.highest_score, reading.score);
    lived.readings.push_back(reading);
  }
  return lived;
}

struct Row {
  const char* name;
  Level least;
  Level most;
};
constexpr Row kRuns[] = {
    {"normal-day", Level::normal, Level::normal},
    {"large-refactoring", Level::normal, Level::normal},
    {"cleanup-gone-wrong", Level::restricted, Level::isolated},
    {"exfiltration", Level::isolated, Level::isolated},
    {"probing", Level::isolated, Level::isolated},
    {"runaway-loop", Level::restricted, Level::isolated},
    {"hidden-instructions", Level::restricted, Level::isolated},
};

TEST(RiskCorpus, RunsReachWhatTheyMustAndNoMore) {
  for (const Row& row : kRuns) {
    Lived lived = live_through(lines_of(row.name));
    EXPECT_GE(lived.highest, row.least) << row.name << " " << lived.highest_score;
    EXPECT_LE(lived.highest, row.most) << row.name << " " << lived.highest_score;
  }
}

bool is_level(const std::string& line) { return line.find("\"risk_level\"") != line.npos; }

Replay replay_of(const std::vector<std::string>& lines) {
  Replay replay;
  for (const std::string& line : lines)
    replay.take(line);
  return replay;
}

TEST(RiskCorpus, TheSameAfterReplay) {
  for (const Row& row : kRuns) {
    std::vector<std::string> lines = lines_of(row.name);
    Lived lived = live_through(lines);
    Replay replay = replay_of(lines);
    for (const ReplayedPoint& point : replay.points())
      EXPECT_EQ(point.reading, lived.readings.at(point.line - 1)) << row.name << " " << point.line;
    EXPECT_TRUE(replay.is_same()) << row.name;
    EXPECT_EQ(replay.unsaid(), 0u) << row.name;
    // The levels of the run itself, which narrowed it while it was recorded.
    EXPECT_EQ(std::ranges::any_of(lines, is_level), row.most != Level::normal) << row.name;
    EXPECT_EQ(replay.highest(), lived.highest) << row.name;
  }
}

// A line of the run's own that says otherwise is found, and one that is missing.
TEST(RiskCorpus, ReplayFindsALevelThatWasNot) {
  const std::vector<std::string> lines = lines_of("probing");
  auto changed = lines;
  std::string& level = *std::ranges::find_if(changed, is_level);
  size_t score = level.find("\"score\": ");
  ASSERT_NE(score, level.npos);
  char& digit = level[score + 9];
  digit = digit == '1' ? '2' : '1';
  EXPECT_FALSE(replay_of(changed).is_same());
  auto without = lines;
  std::erase_if(without, is_level);
  EXPECT_GT(replay_of(without).unsaid(), 0u);
  auto more = lines;
  more.push_back("nonsense");
  EXPECT_FALSE(replay_of(more).is_same());
}

TEST(RiskCorpus, IsDrawn) {
  Replay replay;
  for (const std::string& line : lines_of("probing"))
    replay.take(line);
  std::string picture = plot(replay, "a <run> & more");
  EXPECT_TRUE(picture.starts_with("<svg "));
  EXPECT_TRUE(picture.ends_with("</svg>\n"));
  EXPECT_NE(picture.find("a &lt;run&gt; &amp; more"), std::string::npos);
  EXPECT_EQ(picture.find("<run>"), std::string::npos);
}

}  // namespace
}  // namespace ringwall::risk
