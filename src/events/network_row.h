// How a row of NetworkUse says that a host was granted and yet not reached.
#pragma once

#include <string_view>

namespace ringwall::events {

inline constexpr std::string_view kNotReached = "not reached: ";

}  // namespace ringwall::events
