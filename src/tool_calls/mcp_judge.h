// Judges calls to an MCP server by the rules of [tools].
#pragma once

#include <functional>

#include "base/result.h"
#include "gate/decide.h"
#include "mcp/filter.h"
#include "policy/policy.h"

namespace ringwall::tool_calls {

// Rules are compiled once, before the filter's walls; behind them no file is there to be looked at,
// so paths are judged as they are written. Between an agent and its server there is nobody to ask:
// what is to be asked for does not pass.
Result<std::function<mcp::Verdict(const gate::ToolCall&)>> make_mcp_judge(
    const policy::Tools& tools, gate::Place place);

}  // namespace ringwall::tool_calls
