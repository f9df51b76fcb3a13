// Recorded runs of seven kinds (tests/corpus/risk/), and the levels that they must reach or not.
#include <gtest/gtest.h>

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
    level = next_level(thresholds, level, reading.score);
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

TEST(RiskCorpus, TheSameAfterReplay) {
  for (const Row& row : kRuns) {
    std::vector<std::string> lines = lines_of(row.name);
    Lived lived = live_through(lines);
    Replay replay;
    for (const std::string& line : lines)
      replay.take(line);
    for (const ReplayedPoint& point : replay.points())
      EXPECT_EQ(point.reading, lived.readings.at(point.line - 1)) << row.name << " " << point.line;
    // These have no lines of levels: those that are reached are missed.
    EXPECT_EQ(replay.is_same(), row.most == Level::normal) << row.name;
    EXPECT_EQ(replay.unsaid() > 0, row.most != Level::normal) << row.name;
  }
}

// A line of the run's own that says otherwise is found.
TEST(RiskCorpus, ReplayFindsALevelThatWasNot) {
  std::vector<std::string> lines = lines_of("probing");
  Score score;
  std::string level;
  size_t at_line = 0;
  for (size_t i = 0; level.empty(); i++) {
    auto at = static_cast<int64_t>(
        boost::json::parse(lines.at(i)).at("at").to_number<double>() * 1000 + 0.5);
    score.hear(at, lines[i]);
    Reading reading = score.look(at);
    if (reading.score < 350'000) continue;
    boost::json::object event{
        {"n", 0},
        {"at", static_cast<double>(at) / 1000},
        {"event", "risk_level"},
        {"level", "caution"},
        {"score", reading.score},
        {"looked", at},
        {"axes", boost::json::array(reading.axes.begin(), reading.axes.end())}};
    level = boost::json::serialize(event);
    at_line = i + 1;
  }
  auto replay_with = [&](const std::string& line) {
    Replay replay;
    for (size_t i = 0; i < at_line; i++)
      replay.take(lines[i]);
    replay.take(line);
    return replay;
  };
  EXPECT_TRUE(replay_with(level).is_same());
  std::string lower = level;
  lower.replace(lower.find("\"score\":") + 8, 1, "1");
  EXPECT_FALSE(replay_with(lower).is_same());
  EXPECT_FALSE(replay_with("nonsense").is_same());
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
