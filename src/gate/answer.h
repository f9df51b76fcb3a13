// What the gate says to a tool call, and what the agent hears of it.
#pragma once

#include <cstdint>

namespace ringwall::gate {

// Ordered: of several, the greatest counts.
enum class Answer : uint8_t {
  open,  // no rule speaks: the agent's own flow goes on
  allow,
  ask,
  deny,
};

enum class Tell : uint8_t {
  reason,   // why
  refusal,  // only that it was refused
  hint,     // what to do instead
};

}  // namespace ringwall::gate
