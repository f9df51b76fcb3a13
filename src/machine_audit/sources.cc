#include "machine_audit/sources.h"

namespace ringwall::machine_audit {
namespace {

using enum FileScope;
using enum Topic;
using enum FileFormat;

// The last of several that say the same thing wins where the agent reads them so: what stands first
// counts more (see Scene::first).
constexpr MachineSource kSources[] = {
    {claude, managed, "etc/claude-code/managed-settings.json", json},
    {claude, managed, "etc/claude-code/managed-settings.d/*.json", json},
    {servers, managed, "etc/claude-code/managed-mcp.json", json},
    {claude, project, ".claude/settings.local.json", json},
    {claude, project, ".claude/settings.json", json},
    {claude, person, ".claude/settings.json", json},
    {claude_state, person, ".claude.json", json},
    {hooks, person, ".claude/plugins/*/hooks/hooks.json", json},
    {hooks, person, ".claude/plugins/cache/*/*/*/hooks/hooks.json", json},
    {servers, person, ".claude/plugins/*/.mcp.json", json},
    {servers, person, ".claude/plugins/cache/*/*/*/.mcp.json", json},
    {servers, project, ".mcp.json", json},
    {servers, person, ".config/Claude/claude_desktop_config.json", json},

    {codex, managed, "etc/codex/requirements.toml", toml},
    {codex, managed, "etc/codex/managed_config.toml", toml},
    {codex, managed, "etc/codex/config.toml", toml},
    {codex, project, ".codex/config.toml", toml},
    {codex, person, ".codex/config.toml", toml},
    {codex_rules, person, ".codex/rules/*.rules", text},
    {codex_rules, project, ".codex/rules/*.rules", text},
    {hooks, person, ".codex/hooks.json", json},
    {hooks, project, ".codex/hooks.json", json},

    {gemini, managed, "etc/gemini-cli/settings.json", json},
    {gemini, project, ".gemini/settings.json", json},
    {gemini, person, ".gemini/settings.json", json},
    {gemini, managed, "etc/gemini-cli/system-defaults.json", json},
    {gemini_trust, person, ".gemini/trustedFolders.json", json},
    {gemini_policy, managed, "etc/gemini-cli/policies/*.toml", toml},
    {gemini_policy, person, ".gemini/policies/*.toml", toml},
    {gemini_policy, project, ".gemini/policies/*.toml", toml},
    {servers, person, ".gemini/extensions/*/gemini-extension.json", json},
    {hooks, person, ".gemini/extensions/*/hooks/hooks.json", json},

    {cursor, project, ".cursor/cli.json", json},
    {cursor, project, ".cursor/permissions.json", json},
    {cursor, project, ".cursor/sandbox.json", json},
    {cursor, person, ".cursor/sandbox.json", json},
    {cursor, person, ".cursor/cli-config.json", json},
    {cursor, person, ".cursor/permissions.json", json},
    {hooks, managed, "etc/cursor/hooks.json", json},
    {hooks, person, ".cursor/hooks.json", json},
    {hooks, project, ".cursor/hooks.json", json},
    {servers, person, ".cursor/mcp.json", json},
    {servers, project, ".cursor/mcp.json", json},

    {copilot, managed, "etc/github-copilot/managed-settings.json", json},
    {copilot, person, ".copilot/config.json", json},
    {copilot, person, ".copilot/settings.json", json},
    {copilot, person, ".copilot/permissions-config.json", json},
    {servers, person, ".copilot/mcp-config.json", json},
    {hooks, managed, "etc/github-copilot/policy.d/*.json", json},
    {hooks, person, ".copilot/hooks/*.json", json},
    {hooks, project, ".github/hooks/*.json", json},

    {opencode, managed, "etc/opencode/opencode.json", json},
    {opencode, managed, "etc/opencode/opencode.jsonc", json},
    {opencode, project, "opencode.json", json},
    {opencode, project, "opencode.jsonc", json},
    {opencode, person, ".config/opencode/opencode.json", json},
    {opencode, person, ".config/opencode/opencode.jsonc", json},

    {editor, person, ".config/Code/User/settings.json", json},
    {editor, person, ".config/Code - Insiders/User/settings.json", json},
    {editor, person, ".config/VSCodium/User/settings.json", json},
    {editor, person, ".config/Cursor/User/settings.json", json},
    {editor, person, ".config/Windsurf/User/settings.json", json},
    {editor, person, ".vscode-server/data/Machine/settings.json", json},
    {editor, person, ".config/zed/settings.json", json},
    {editor, project, ".vscode/settings.json", json},
    {tasks, project, ".vscode/tasks.json", json},
    {servers, person, ".config/Code/User/mcp.json", json},
    {servers, person, ".codeium/windsurf/mcp_config.json", json},
    {servers, person, ".aws/amazonq/mcp.json", json},
    {servers, project, ".vscode/mcp.json", json},
    {servers, project, ".github/mcp.json", json},
    {servers, project, ".amazonq/mcp.json", json},

    {devcontainer, project, ".devcontainer/devcontainer.json", json},
    {devcontainer, project, ".devcontainer/*/devcontainer.json", json},
    {devcontainer, project, ".devcontainer.json", json},

    {packages, managed, "etc/npmrc", lines},
    {packages, managed, "etc/pip.conf", lines},
    {packages, person, ".npmrc", lines},
    {packages, person, ".config/pnpm/rc", lines},
    {packages, person, ".yarnrc", lines},
    {packages, person, ".yarnrc.yml", lines},
    {packages, person, ".config/pip/pip.conf", lines},
    {packages, person, ".pip/pip.conf", lines},
    {packages, person, ".config/uv/uv.toml", lines},
    {packages, person, ".condarc", lines},
    {packages, person, ".gemrc", lines},
    {packages, person, ".cargo/config.toml", lines},
    {packages, person, ".bunfig.toml", lines},
    {packages, project, ".npmrc", lines},
    {packages, project, ".yarnrc", lines},
    {packages, project, ".yarnrc.yml", lines},
    {packages, project, "pip.conf", lines},

    {variables, project, ".env", lines},
    {variables, person, ".env", lines},
    {variables, person, ".codex/.env", lines},
    {variables, person, ".gemini/.env", lines},
    {direnv, person, ".config/direnv/direnv.toml", toml},

    {shell, managed, "etc/environment", text},
    {shell, managed, "etc/bash.bashrc", text},
    {shell, managed, "etc/profile.d/*.sh", text},
    {shell, person, ".bashrc", text},
    {shell, person, ".bash_profile", text},
    {shell, person, ".bash_login", text},
    {shell, person, ".bash_aliases", text},
    {shell, person, ".profile", text},
    {shell, person, ".zshrc", text},
    {shell, person, ".zshenv", text},
    {shell, person, ".zprofile", text},
    {shell, person, ".zlogin", text},
    {shell, person, ".config/fish/config.fish", text},
    {shell, person, ".config/fish/conf.d/*.fish", text},
    {shell, person, ".config/environment.d/*.conf", text},

    {git, managed, "etc/gitconfig", git_config},
    {git, person, ".gitconfig", git_config},
    {git, person, ".config/git/config", git_config},
    {git, project, ".git/config", git_config},
    {git_hook, project, ".git/hooks/*", text},
};

constexpr AgentFolder kFolders[] = {
    {claude, ".claude"}, {codex, ".codex"},     {gemini, ".gemini"},
    {cursor, ".cursor"}, {copilot, ".copilot"}, {opencode, ".config/opencode"},
};

}  // namespace

std::span<const MachineSource> machine_sources() { return kSources; }
std::span<const AgentFolder> agent_folders() { return kFolders; }

std::string_view name_of(Topic topic) {
  switch (topic) {
    case claude:
    case claude_state:
      return "Claude Code";
    case codex:
    case codex_rules:
      return "Codex";
    case gemini:
    case gemini_trust:
    case gemini_policy:
      return "Gemini CLI";
    case cursor:
      return "Cursor";
    case copilot:
      return "GitHub Copilot";
    case opencode:
      return "opencode";
    case editor:
    case tasks:
      return "editors";
    case servers:
      return "MCP servers";
    case hooks:
      return "hooks of agents";
    case devcontainer:
      return "development containers";
    case packages:
      return "package managers";
    case variables:
    case direnv:
    case shell:
      return "shells and variables";
    case git:
    case git_hook:
      return "git";
  }
  return "";
}

}  // namespace ringwall::machine_audit
