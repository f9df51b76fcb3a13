// What a hook answers, in exactly the agent's own dialect: no key that the agent does not know,
// since some take such an answer for none and go on. One function per dialect.
#pragma once

#include <string>
#include <string_view>

#include "gate/answer.h"
#include "gate/dialect.h"

namespace ringwall::gate {

struct Verdict {
  Answer answer = Answer::open;
  std::string told = {};     // to the agent and its person: why, or what to do instead
  std::string warning = {};  // after a tool: about what came back
};

struct HookReply {
  std::string out;  // one JSON object, or nothing
  std::string err;  // never empty where the status is not 0
  int status = 0;
};

// Status 2 with words on stderr is what every agent takes for a denial at least before a tool.
inline constexpr int kDenyStatus = 2;

// An "ask" where the agent has no prompt is a denial.
HookReply reply(const Dialect& dialect, const EventRow& row, const Verdict& verdict);

// A denial where nobody knows what the event is.
HookReply deny_unknown(std::string_view why);

// What a reason is made of, for agents that show it: never empty, one line, not too long.
std::string shown_reason(std::string_view told);

}  // namespace ringwall::gate
