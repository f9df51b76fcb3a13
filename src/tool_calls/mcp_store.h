// Where the notes of MCP servers' tools lie: ~/.local/state/ringwall/mcp. No sandbox sees it.
#pragma once

#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "mcp/pins.h"
#include "state/places.h"

namespace ringwall::tool_calls {

// A name as rules have it: letters, digits, '-' and '_'.
Status check_server_name(const std::string& name);

Result<mcp::Pins> read_pins(const state::Places& places, const std::string& server);

// To add to.
Result<Fd> open_pin_notes(const state::Places& places, const std::string& server);

// What waits becomes what is pinned. Counts from the server's next start.
// `digest` is of the definition that the person was shown.
Status approve_tool(const state::Places& places, const std::string& server, const std::string& tool,
                    const std::string& digest);

// Everything of a server: it is new again. False if there is nothing.
Result<bool> forget_server(const state::Places& places, const std::string& server);

// Sorted.
Result<std::vector<std::string>> list_servers(const state::Places& places);

}  // namespace ringwall::tool_calls
