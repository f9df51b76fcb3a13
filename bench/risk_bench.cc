// How long the risk of one event takes: from the record's line to the score and the level, over a
// mix of events of which most are new things. Prints the median and the worst thousandth, in
// microseconds.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "events/event.h"
#include "risk/level.h"
#include "risk/score.h"

namespace {

using namespace ringwall;

std::vector<std::string> make_lines() {
  std::vector<std::string> lines;
  for (int i = 0; i < 20'000; i++) {
    std::string name = "host" + std::to_string(i % 3000) + ".example.com:443";
    lines.push_back(
        events::to_json(events::Blocked{"app-1", name, "node", "no grant names it", ""}));
    lines.push_back(events::to_json(events::Connected{"app-1", name, "*.example.com"}));
    lines.push_back(
        events::to_json(events::Sent{"app-1", name, 20'000, 20'000ull * (i + 1), false}));
    lines.push_back(events::to_json(events::ToolRefused{
        "app-1", "claude", "Bash", "rm -rf /srv/data" + std::to_string(i), "rm|srm -r",
        "what it deletes cannot be brought back", "destructive-files"}));
    lines.push_back(events::to_json(
        events::ToolJudged{"app-1", "claude", "Bash", "npm test", "allowed", "Bash(npm *)"}));
  }
  return lines;
}

}  // namespace

int main() {
  std::vector<std::string> lines = make_lines();
  risk::Score score;
  risk::Thresholds thresholds = risk::thresholds_of({});
  risk::Level level = risk::Level::normal;
  std::vector<double> times;
  int64_t at = 0;
  for (const std::string& line : lines) {
    auto begin = std::chrono::steady_clock::now();
    if (score.hear(at, line)) {
      risk::Reading reading = score.look(at);
      level = risk::next_level(thresholds, level, reading.score, reading.seen);
    }
    std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    times.push_back(took.count());
    at += 7;
  }
  std::sort(times.begin(), times.end());
  if (level == risk::Level::normal) return 1;  // nothing was counted
  printf("%.3f %.3f\n", times[times.size() / 2], times[times.size() * 999 / 1000]);
}
