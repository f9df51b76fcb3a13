// The curve of a run's risk as a picture: an SVG of its own, without scripts, fonts or anything
// that is fetched.
#pragma once

#include <string>

#include "risk/replay.h"

namespace ringwall::risk {

std::string plot(const Replay& replay, const std::string& title);

}  // namespace ringwall::risk
