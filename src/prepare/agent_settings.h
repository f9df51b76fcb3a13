// What the settings of agents and editors in the granted trees call: hooks, status lines, MCP
// servers, tasks that run when a folder is opened. The settings are protected by their names;
// whoever may write what they call leaves the sandbox just as well (Cursor CVE-2026-48124).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ringwall::prepare {

// Settings of that kind at the top of a tree.
std::vector<std::string> agent_settings_at_top(const std::vector<std::string>& trees);
// Those that a protected path is, or holds.
std::vector<std::string> agent_settings_of(const std::string& path);

// Patterns as in files.protect for what lies in `trees` and is called by these settings. What
// cannot be read as JSON, with comments and the like, is left out: its agent cannot read it either.
std::vector<std::string> patterns_named_by_agents(const std::vector<std::string>& trees,
                                                  const std::vector<std::string>& settings);

}  // namespace ringwall::prepare
