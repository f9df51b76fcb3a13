// ringwall mcp wrap: an agent's list of MCP servers, rewritten so that each runs behind the walls.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace ringwall::cli {

// An exit status.
Result<int> wrap_mcp_config(const std::vector<std::string>& arguments);

}  // namespace ringwall::cli
