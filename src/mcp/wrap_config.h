// Rewrites an agent's list of MCP servers so that each one on standard input and output is started
// by `ringwall mcp`. JSON with "mcpServers" (Claude Code, Cursor, Gemini, Copilot) or "servers" (VS
// Code), and Codex's TOML with [mcp_servers.NAME].
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ringwall::mcp {

struct Wrapped {
  std::string text;                  // the whole file
  std::vector<std::string> servers;  // that run so from now on
  std::vector<std::string> left;     // that run elsewhere (http, sse, ws): "NAME: why"
  std::vector<std::string> before;   // that were wrapped already
};

// `program` is how ringwall is started.
Result<Wrapped> wrap_json(std::string_view text, const std::string& program);
Result<Wrapped> wrap_toml(std::string_view text, const std::string& program);

}  // namespace ringwall::mcp
