// The score of a run once more, from its record: the same numbers to the last digit, or a line that
// says where they differ. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "risk/level.h"
#include "risk/score.h"

namespace ringwall::risk {

// What the score was when a line had been written.
struct ReplayedPoint {
  uint64_t line = 0;
  int64_t at = 0;  // milliseconds since the start
  Reading reading;
  Level level = Level::normal;
};

// A change of level, as the record has it and as it is found here.
struct ReplayedLevel {
  uint64_t line = 0;
  int64_t at = 0;
  std::string level;
  uint32_t recorded = 0;
  Reading found;
  bool is_same = false;
  std::vector<std::string> because;
};

class Replay {
 public:
  // One line of a record, in their order.
  void take(std::string_view line);

  const std::vector<ReplayedPoint>& points() const { return points_; }
  const std::vector<ReplayedLevel>& levels() const { return levels_; }
  const Score& score() const { return score_; }
  const Thresholds& thresholds() const { return thresholds_; }
  int64_t end() const { return end_; }
  Level level() const { return level_; }
  Level highest() const { return highest_; }
  // Lines that are none of a record, and events that the record only counts: what follows may have
  // had a higher score.
  uint64_t strange() const { return strange_; }
  uint64_t missing() const { return missing_; }
  // Levels that must have been reached, and of which the record has no line.
  uint64_t unsaid() const { return unsaid_; }
  bool is_same() const;

 private:
  void begin(const boost::json::object& line);
  void take_level(const boost::json::object& line, int64_t at);
  void follow(int64_t at);
  void expect_level(int64_t at);

  Score score_;
  Thresholds thresholds_;
  Level level_ = Level::normal;
  Level highest_ = Level::normal;
  std::vector<ReplayedPoint> points_;
  std::vector<ReplayedLevel> levels_;
  uint64_t lines_ = 0;
  uint64_t strange_ = 0;
  uint64_t missing_ = 0;
  uint64_t unsaid_ = 0;
  std::optional<int64_t> awaited_since_;  // a level, by the score
  int64_t end_ = 0;
};

}  // namespace ringwall::risk
