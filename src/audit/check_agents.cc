#include <array>

#include "audit/checks.h"
#include "base/text.h"
#include "instructions/hidden_characters.h"

namespace ringwall::audit {
namespace {

using Use = std::function<void(const std::string& way, const Setting& value)>;

std::string_view last_of(std::string_view way) {
  size_t dot = way.rfind('.');
  return dot == std::string_view::npos ? way : way.substr(dot + 1);
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  for (std::string_view one : names) {
    if (name == one) return true;
  }
  return false;
}

std::string shown(const std::string& way, const Setting& value) {
  std::string words = words_of(value);
  if (words.empty() && value.is_object() && !value.members.empty()) {
    for (const auto& [name, member] : value.members)
      words += (words.empty() ? "" : ", ") + name;
  }
  return way + ": " + words;
}

std::string take_out(const std::string& path, const std::string& way) {
  return "in " + text::quote(path) + ", remove " + text::quote(way);
}

// A value that alone is the finding.
struct Sign {
  std::string_view number;
  std::string_view way;    // the whole one, or its end behind a dot
  std::string_view value;  // "": anything that is there and is neither false, null nor empty
};

constexpr Sign kSigns[] = {
    {"RW202", "permissions.defaultMode", "bypassPermissions"},
    {"RW202", "dangerouslySkipPermissions", "true"},
    {"RW202", "skipDangerousModePermissionPrompt", "true"},
    {"RW202", "bypassPermissionsModeAccepted", "true"},
    {"RW202", "approval_policy", "never"},
    {"RW202", "autoAccept", "true"},
    {"RW202", "defaultApprovalMode", "yolo"},
    {"RW202", "approvalMode", "yolo"},
    {"RW202", "chat.tools.autoApprove", "true"},
    {"RW202", "chat.tools.global.autoApprove", "true"},
    {"RW202", "chat.tools.terminal.enableAutoApprove.all", "true"},
    {"RW202", "permission", "allow"},
    {"RW202", "permission.*", "allow"},
    {"RW202", "allowedTools", "*"},
    {"RW202", "permissionMode", "bypassPermissions"},
    {"RW203", "enableAllProjectMcpServers", "true"},
    {"RW203", "enabledMcpjsonServers", ""},
    {"RW203", "trust", "true"},
    {"RW203", "alwaysAllow", ""},
    {"RW203", "autoApprove", ""},
    {"RW203", "approval_mode", "approve"},
    {"RW203", "chat.mcp.autostart", "always"},
    {"RW205", "apiKeyHelper", ""},
    {"RW205", "awsAuthRefresh", ""},
    {"RW205", "awsCredentialExport", ""},
    {"RW205", "gcpAuthRefresh", ""},
    {"RW205", "otelHeadersHelper", ""},
    {"RW205", "headersHelper", ""},
    {"RW205", "proxyAuthHelper", ""},
    {"RW205", "processWrapper", ""},
    {"RW205", "statusLine.command", ""},
    {"RW205", "fileSuggestion.command", ""},
    {"RW205", "discoveryCommand", ""},
    {"RW205", "toolDiscoveryCommand", ""},
    {"RW205", "toolCallCommand", ""},
    {"RW205", "notify", ""},
    {"RW211", "sandbox.enabled", "false"},
    {"RW211", "sandbox.allowUnsandboxedCommands", "true"},
    {"RW211", "sandbox.excludedCommands", ""},
    {"RW211", "sandbox.enableWeakerNestedSandbox", "true"},
    {"RW211", "sandbox.network.allowAllUnixSockets", "true"},
    {"RW211", "sandbox.network.allowUnixSockets", ""},
    {"RW211", "sandbox.filesystem.disabled", "true"},
    {"RW211", "sandbox.network.allowedDomains", "*"},
    {"RW211", "sandbox_mode", "danger-full-access"},
    {"RW211", "sandbox_workspace_write.network_access", "true"},
    {"RW211", "sandbox_workspace_write.writable_roots", "/"},
    {"RW212", "enabledPlugins", ""},
    {"RW212", "extraKnownMarketplaces", ""},
    {"RW210", "permissions.defaultMode", "acceptEdits"},
    {"RW210", "permissions.defaultMode", "auto"},
    {"RW210", "permissionMode", "acceptEdits"},
    {"RW210", "permissionMode", "auto"},
};

bool ends_way(std::string_view way, std::string_view end) {
  return way == end || (way.ends_with(end) && way[way.size() - end.size() - 1] == '.');
}

bool is_there(const Setting& value) {
  if (value.is_list() || value.is_object()) return !value.members.empty();
  return !value.is_false() && value.kind != Setting::Kind::null && !value.text.empty();
}

bool is_sign(const Sign& sign, const std::string& way, const Setting& value) {
  if (!ends_way(way, sign.way)) return false;
  if (sign.value.empty()) return is_there(value);
  if (value.is_list()) return false;  // its members come by the same way
  return value.text == sign.value;
}

void check_signs(const std::string& path, const std::string& way, const Setting& value,
                 Reporter& reporter) {
  for (const Sign& sign : kSigns) {
    if (is_sign(sign, way, value))
      reporter.add(sign.number, path, value.line, shown(way, value), take_out(path, way));
  }
}

void check_hooks(const std::string& path, const std::string& way, const Setting& value,
                 Reporter& reporter) {
  bool is_hook = way.starts_with("hooks.") || way.contains(".hooks.");
  bool runs = is_one_of(
      last_of(way), {"command", "bash", "powershell", "exec", "url", "commandWindows", "script"});
  if (!is_hook || !runs || !value.is_text()) return;
  reporter.add("RW201", path, value.line, shown(way, value), take_out(path, way));
  check_command(path, value.line, value.text, reporter);
}

constexpr std::string_view kEndpoints[] = {
    "ANTHROPIC_BASE_URL",
    "ANTHROPIC_API_URL",
    "ANTHROPIC_BEDROCK_BASE_URL",
    "ANTHROPIC_UNIX_SOCKET",
    "ANTHROPIC_VERTEX_BASE_URL",
    "ANTHROPIC_FOUNDRY_BASE_URL",
    "OPENAI_BASE_URL",
    "OPENAI_API_BASE",
    "GOOGLE_GEMINI_BASE_URL",
    "CODE_ASSIST_ENDPOINT",
    "GEMINI_BASE_URL",
    "GOOGLE_VERTEX_BASE_URL",
    "ANTHROPIC_CUSTOM_HEADERS",
    "NODE_TLS_REJECT_UNAUTHORIZED",
    "NODE_EXTRA_CA_CERTS",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "ALL_PROXY",
};
constexpr std::string_view kMovers[] = {"CODEX_HOME",
                                        "CLAUDE_CONFIG_DIR",
                                        "GEMINI_CLI_HOME",
                                        "OPENCODE_CONFIG",
                                        "OPENCODE_CONFIG_DIR",
                                        "COPILOT_HOME",
                                        "CLAUDE_CODE_PROCESS_WRAPPER"};
constexpr std::string_view kLoaders[] = {
    "CLAUDE_CODE_SHELL_PREFIX",
    "CLAUDE_CODE_SHELL",
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "LD_AUDIT",
    "NODE_OPTIONS",
    "BASH_ENV",
    "ENV",
    "ZDOTDIR",
    "PATH",
    "PYTHONSTARTUP",
    "PYTHONHOME",
    "PERL5OPT",
    "RUBYOPT",
    "JAVA_TOOL_OPTIONS",
    "_JAVA_OPTIONS",
    "PROMPT_COMMAND",
    "GIT_SSH_COMMAND",
    "GIT_EXTERNAL_DIFF",
    "GIT_PAGER",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_GLOBAL",
    "GIT_SSH",
    "GIT_EDITOR",
    "PAGER",
    "EDITOR",
    "VISUAL",
    "BROWSER",
    "SHELL",
    "GIT_ASKPASS",
    "SSH_ASKPASS",
    "PYTHONPATH",
};

template <size_t N>
bool is_among(std::string_view name, const std::string_view (&names)[N]) {
  for (std::string_view one : names) {
    if (name == one) return true;
  }
  return false;
}

// Where a record of what the agent does is sent.
bool is_telemetry(const std::string& way) {
  std::string_view name = last_of(way);
  bool is_variable = name.starts_with("OTEL_EXPORTER_OTLP") && name.ends_with("ENDPOINT");
  return is_variable || ends_way(way, "telemetry.otlpEndpoint") ||
         ((way.starts_with("otel.") || way.contains(".otel.")) && name == "endpoint");
}

bool is_this_machine(const std::string& host) {
  return host.empty() || host == "localhost" || host == "127.0.0.1" || host == "[::1]";
}

}  // namespace

// The makers' own servers.
bool is_makers_endpoint(std::string_view url) {
  std::string host = host_of(url);
  return is_one_of(host, {"api.anthropic.com", "api.openai.com",
                          "generativelanguage.googleapis.com", "cloudcode-pa.googleapis.com"}) ||
         host.ends_with(".openai.azure.com") || host.ends_with(".amazonaws.com");
}

namespace {

void check_variable(const std::string& path, size_t line, std::string_view name,
                    std::string_view value, Reporter& reporter) {
  std::string seen = std::string(name) + "=" + std::string(value);
  if (is_among(name, kMovers)) reporter.add("RW209", path, line, seen);
  if (is_among(name, kEndpoints) && !value.empty() && !is_makers_endpoint(value))
    reporter.add("RW204", path, line, seen);
}

// Variables that settings set: below "env", or servers' own, which only that server sees.
void check_environment(const std::string& path, const std::string& way, const Setting& value,
                       Reporter& reporter) {
  if (value.is_object() || value.is_list()) return;
  bool is_agents = way.starts_with("env.") || way.contains("shell_environment_policy.set.") ||
                   way.contains("terminal.integrated.env.");
  std::string_view name = last_of(way);
  if (is_agents) check_variable(path, value.line, name, value.text, reporter);
  if (is_agents && is_among(name, kLoaders))
    reporter.add("RW206", path, value.line, shown(way, value), take_out(path, way));
  if (is_telemetry(way) && !is_this_machine(host_of(value.text)))
    reporter.add("RW219", path, value.line, shown(way, value), take_out(path, way));
  bool is_address = is_one_of(
      name, {"base_url", "baseURL", "baseUrl", "openai_base_url", "chatgpt_base_url", "apiBase"});
  if (is_address && value.is_text() && !is_makers_endpoint(value.text))
    reporter.add("RW204", path, value.line, shown(way, value), take_out(path, way));
}

bool is_wide(std::string_view rule) {
  for (std::string_view wide :
       {"*", "Bash", "Bash(*)", "Bash(:*)", "Bash(**)", "WebFetch", "WebFetch(*)", "mcp__*",
        "Shell(*)", "Shell(**)", "Write(**)", "run_shell_command", "ShellTool"}) {
    if (rule == wide) return true;
  }
  // A shell or an interpreter is every command.
  for (std::string_view program : {"sh", "bash", "zsh", "python", "python3", "node", "perl", "ruby",
                                   "eval", "env", "sudo", "curl", "wget", "npx", "docker", "ssh"}) {
    for (std::string_view tool : {"Bash(", "Shell("}) {
      std::string start = std::string(tool) + std::string(program);
      if (rule == start + ":*)" || rule == start + " *)" || rule == start + "*)") return true;
    }
  }
  return false;
}

bool leads_out(std::string_view folder) {
  return folder.starts_with('/') || folder.starts_with('~') || folder.starts_with("..") ||
         folder.contains("/../") || folder.starts_with("$HOME");
}

void check_permissions(const std::string& path, const std::string& way, const Setting& value,
                       Reporter& reporter) {
  if (!value.is_text()) return;
  bool allows = ends_way(way, "permissions.allow") || ends_way(way, "tools.allowed") ||
                ends_way(way, "coreTools");
  bool folders = ends_way(way, "additionalDirectories") || ends_way(way, "includeDirectories") ||
                 ends_way(way, "writable_roots");
  if ((allows && is_wide(value.text)) || (folders && leads_out(value.text)))
    reporter.add("RW210", path, value.line, shown(way, value),
                 "in " + text::quote(path) + ", remove " + text::quote(value.text) + " from " +
                     text::quote(way));
}

// Characters that nothing is shown for, written as escapes: the model reads them as they are meant.
void check_escaped_characters(const std::string& path, const Setting& settings,
                              Reporter& reporter) {
  visit(settings, [&](const std::string& way, const Setting& value) {
    std::vector<instructions::Finding> findings;
    instructions::find_hidden_characters(value.text, findings);
    for (const instructions::Finding& finding : findings) {
      if (finding.weight < instructions::kTellWeight) continue;
      bool are_tags = finding.kind == "tag characters";
      reporter.add(are_tags ? "RW221" : "RW222", path, value.line, way + ": " + finding.kind);
    }
  });
}

// Programs of opencode's settings that format and check, and packages that it loads.
void check_opencode(const std::string& path, const std::string& way, const Setting& value,
                    Reporter& reporter) {
  bool is_tool = (way.starts_with("formatter.") || way.starts_with("lsp.")) &&
                 last_of(way) == "command" && value.is_list();
  if (is_tool) reporter.add("RW205", path, value.line, shown(way, value));
  if (way == "plugin" && value.is_list() && !value.members.empty())
    reporter.add("RW212", path, value.line, shown(way, value));
}

}  // namespace

void check_agent_settings(const std::string& path, const Setting& settings, Reporter& reporter) {
  visit(settings, [&](const std::string& way, const Setting& value) {
    check_signs(path, way, value, reporter);
    check_hooks(path, way, value, reporter);
    check_environment(path, way, value, reporter);
    check_permissions(path, way, value, reporter);
    if (path.contains("opencode")) check_opencode(path, way, value, reporter);
  });
  check_mcp_servers(path, settings, reporter);
}

void check_agent_json(const RepositoryFile& file, Reporter& reporter) {
  if (auto settings = read_settings(file, read_json_settings, reporter)) {
    if (!settings->is_object()) {
      reporter.add("RW216", file.path, 1, "it is no object");
      return;
    }
    check_agent_settings(file.path, *settings, reporter);
    if (file.content.contains("\\u")) check_escaped_characters(file.path, *settings, reporter);
  }
}

void check_agent_toml(const RepositoryFile& file, Reporter& reporter) {
  if (auto settings = read_settings(file, read_toml_settings, reporter))
    check_agent_settings(file.path, *settings, reporter);
}

void check_set_variable(const RepositoryFile& file, size_t number, std::string_view line,
                        Reporter& reporter) {
  line = text::trim(line);
  if (line.starts_with("export ")) line = text::trim(line.substr(7));
  size_t equals = line.find('=');
  if (line.starts_with('#') || equals == std::string_view::npos) return;
  std::string_view name = text::trim(line.substr(0, equals));
  std::string_view value = text::trim(line.substr(equals + 1));
  if (value.size() >= 2 && (value[0] == '"' || value[0] == '\'') && value.back() == value[0])
    value = value.substr(1, value.size() - 2);
  check_variable(file.path, number, name, value, reporter);
  if (is_one_of(name, {"LD_PRELOAD", "NODE_OPTIONS", "BASH_ENV", "PROMPT_COMMAND",
                       "GIT_SSH_COMMAND", "PYTHONSTARTUP", "CLAUDE_CODE_SHELL_PREFIX"}))
    reporter.add("RW206", file.path, number, line);
}

void check_variables(const RepositoryFile& file, Reporter& reporter) {
  // UTF-16 and such: some readers decode it, this one does not.
  if (file.content.contains('\0')) reporter.add("RW216", file.path, 1, "it holds null bytes");
  size_t number = 0;
  for (std::string_view line : text::split_in_place(file.content, '\n')) {
    number++;
    if (number == 1 && line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
    check_set_variable(file, number, line, reporter);
  }
}

}  // namespace ringwall::audit
