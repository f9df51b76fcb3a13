#include "install/agents.h"

namespace ringwall::install {
namespace {

constexpr ClosedHatch kClaude[] = {
    {"permissions.disableBypassPermissionsMode", R"("disable")"},
    {"sandbox.allowUnsandboxedCommands", "false"},
    {"enableAllProjectMcpServers", "false"},
    {"env.DISABLE_AUTOUPDATER", R"("1")"},
};

constexpr ClosedHatch kGemini[] = {
    {"general.enableAutoUpdate", "false"},
    {"security.disableYoloMode", "true"},
    {"hooksConfig.enabled", "true"},
};

constexpr ClosedHatch kHookFile[] = {{"version", "1"}};

constexpr ClosedHatch kOpencode[] = {{"autoupdate", "false"}};

constexpr Agent kAgents[] = {
    {"claude", "@anthropic-ai/claude-code", ".claude/settings.json",
     "/etc/claude-code/managed-settings.json", "CLAUDE_CONFIG_DIR", kClaude, gate::Agent::claude,
     "a repository's settings can turn a person's own hooks off (disableAllHooks); not managed "
     "ones"},
    {"codex",
     "@openai/codex",
     ".codex/hooks.json",
     "/etc/codex/requirements.toml",
     "CODEX_HOME",
     {},
     gate::Agent::codex,
     "Codex asks once whether to trust hooks that are not managed"},
    {"gemini", "@google/gemini-cli", ".gemini/settings.json", "/etc/gemini-cli/settings.json", "",
     kGemini, gate::Agent::gemini, "a repository's settings can turn a person's own hooks off"},
    {"copilot", "@github/copilot", ".copilot/hooks/ringwall.json",
     "/etc/github-copilot/policy.d/ringwall.json", "COPILOT_HOME", kHookFile, gate::Agent::copilot,
     "Copilot lets hooks refuse tools, and no prompts"},
    {"opencode", "opencode-ai", ".config/opencode/opencode.json", "/etc/opencode/opencode.json", "",
     kOpencode, std::nullopt, "it has no hooks that could refuse"},
    {"aider", "", "", "", "", {}, std::nullopt, "it has no hooks that could refuse"},
    {"goose", "", "", "", "", {}, std::nullopt, "it has no hooks that could refuse"},
};

}  // namespace

std::span<const Agent> agents() { return kAgents; }

const Agent* agent_by_name(std::string_view name) {
  for (const Agent& agent : kAgents) {
    if (agent.name == name) return &agent;
  }
  return nullptr;
}

std::vector<std::string> agent_names() {
  std::vector<std::string> names;
  for (const Agent& agent : kAgents)
    names.emplace_back(agent.name);
  return names;
}

}  // namespace ringwall::install
