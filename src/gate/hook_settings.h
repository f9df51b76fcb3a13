// The settings that make an agent call the hook: for every event that matters, with the failure
// modes as strict as the agent has them.
#pragma once

#include <boost/json.hpp>
#include <string>

#include "gate/dialect.h"

namespace ringwall::gate {

// As a file of that agent's holds them, ready to paste. `program` is an absolute path.
std::string hook_settings(Agent agent, const std::string& program);

// Where a person pastes them, for use without the sandbox.
std::string_view settings_file(Agent agent);

// Of a run, for files that the agent reads before all others.
boost::json::object claude_hooks(const std::string& program);  // the member "hooks"
boost::json::object gemini_hooks(const std::string& program);  // the same
std::string codex_requirements(const std::string& program);    // requirements.toml
inline constexpr const char* kCodexRequirements = "/etc/codex/requirements.toml";
inline constexpr const char* kCursorHooks = "/etc/cursor/hooks.json";
// Which must be root's.
inline constexpr const char* kCopilotPolicy = "/etc/github-copilot/policy.d/ringwall.json";

// Of an installation, in settings outside of every run: hooks that refuse every prompt and tool
// call unless the agent runs behind the walls. The member "hooks" of the agent's file.
boost::json::object walled_hooks(Agent agent, const std::string& program);
std::string walled_requirements(const std::string& program);  // Codex, for requirements.toml

}  // namespace ringwall::gate
