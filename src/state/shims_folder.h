// Where the plain names of installed agents are found first, relative to the home. What may change
// it decides what the person starts.
#pragma once

namespace ringwall::state {

inline constexpr const char* kShimsFolder = ".local/share/ringwall/bin";

}  // namespace ringwall::state
