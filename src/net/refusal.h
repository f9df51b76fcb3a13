// How a refusal is told to the program inside, in its own protocol.
#pragma once

#include <string>
#include <string_view>

#include "net/first_bytes.h"

namespace ringwall::net {

enum class Obstacle {
  refused,      // by a rule
  unreachable,  // granted, but it could not be reached
};

// Empty: there is no word for it, and the connection is reset.
std::string words_of_refusal(Protocol protocol, Obstacle obstacle, std::string_view why);

}  // namespace ringwall::net
