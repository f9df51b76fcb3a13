// What an agent's hook was called with: read strictly, and brought into one form for all agents.
// Whatever is missing, doubled or of another kind than it should be is an error, and so a denial.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "gate/dialect.h"
#include "gate/tool_call.h"

namespace ringwall::gate {

inline constexpr size_t kMostHookBytes = 8u << 20;

struct HookEvent {
  const Dialect* dialect = nullptr;
  const EventRow* row = nullptr;
  std::string tool = {};             // as the agent calls it; empty: the event is about none
  std::string whole = {};            // its input, as one text; after the fact too
  bool asks_again = false;           // an event of its own for this kind of tool follows
  std::vector<ToolCall> calls = {};  // what it would do; none after the fact
  std::string folder = {};           // where the agent is
  std::string transcript = {};       // the file in which the agent keeps the conversation
  std::string result = {};           // after a tool: every text of what came back
  bool has_failed = false;           // the tool did, as far as the agent says so
  std::string subagent = {};         // its kind
};

// `event` is what the command line says the event is; empty: the payload says it. Both must agree.
Result<HookEvent> read_hook(const Dialect& dialect, std::string_view event, std::string_view text);

}  // namespace ringwall::gate
