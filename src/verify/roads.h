// Roads to something that must not be reached, tried one after another by a shell in a run of our
// own. Each that leads there says so.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ringwall::verify {

struct RoadTrip {
  std::vector<std::string> flags;  // of `run`
  // Lines `road NAME COMMANDS`; a road leads there if its commands print "reached". `$l` is the
  // loader of programs.
  std::string_view roads;
  std::vector<std::string> arguments;  // of the script, from $0 on
};

// The names of those that lead there.
Result<std::vector<std::string>> take_roads(const RoadTrip& trip);

}  // namespace ringwall::verify
