// `ringwall mcp` from inside a run: asks the supervisor for a server by its name, and moves bytes
// between the agent and what it is given.
#pragma once

#include <string>

#include "base/result.h"

namespace ringwall::tool_calls {

// True in a run whose supervisor can be asked.
bool can_ask_for_servers();

// Returns when one side has ended; an error if the supervisor starts none of that name.
Status use_server_outside(const std::string& name);

}  // namespace ringwall::tool_calls
