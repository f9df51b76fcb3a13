// What a tool call is answered: deny before ask before allow, over every part of it. Strict to
// allow, loose to deny: an allow needs every part literal and understood, a deny fires on whatever
// may reach it, and what cannot be understood asks.
//
// Reads the file system to see where links lead; changes and runs nothing. The same call gets the
// same answer: nothing is remembered.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gate/rules.h"
#include "gate/tool_call.h"

namespace ringwall::gate {

// Both absolute.
struct Place {
  std::string home;
  std::string workspace;
};

// One program, file or field of the call.
struct Part {
  std::string shown;
  Answer answer = Answer::open;
  std::string rule;
  std::string why;
};

struct Decision {
  Answer answer = Answer::open;
  std::string rule;         // as written; empty: built in, or none
  std::string origin;       // where it stands
  std::string reason;       // for the person
  std::string told;         // for the agent
  std::string hidden;       // the first file it would read that the run hides; empty: none
  std::vector<Part> parts;  // if they were wanted
};

// Whether a decision lists what it was made of: for a person who asks why, and not for a hook.
enum class Parts : uint8_t { none, listed };

Decision decide(const Ruleset& rules, const ToolCall& call, const Place& place,
                Parts parts = Parts::none);

}  // namespace ringwall::gate
