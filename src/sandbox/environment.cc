#include "sandbox/environment.h"

#include <algorithm>

#include "base/text.h"
#include "sandbox/wall.h"

namespace ringwall::sandbox {
namespace {

constexpr InheritedVariable kInherited[] = {
    {"TERM", "what the terminal can do"},
    {"COLORTERM", "what the terminal can do"},
    {"TERM_PROGRAM", "what the terminal can do"},
    {"COLUMNS", "size of the terminal"},
    {"LINES", "size of the terminal"},
    {"NO_COLOR", "the person's wish"},
    {"FORCE_COLOR", "the person's wish"},
    {"LANG", "language"},
    {"LANGUAGE", "language"},
    {"LC_*", "language"},
    {"TZ", "time zone"},
};

// The first three of each line are the loader's and the shells', then interpreters, tools, and
// switches by which agents can be led to another server or home (CVE-2026-21852, CVE-2025-61260).
constexpr std::string_view kDangerous[] = {
    "LD_*",
    "GCONV_PATH",
    "LOCPATH",
    "BASH_ENV",
    "ENV",
    "SHELLOPTS",
    "BASHOPTS",
    "IFS",
    "PS4",
    "PROMPT_COMMAND",
    "BASH_FUNC_*",
    "ZDOTDIR",
    "NODE_OPTIONS",
    "NODE_PATH",
    "PYTHON*",
    "PERL5*",
    "PERLLIB",
    "RUBY*",
    "JAVA_TOOL_OPTIONS",
    "_JAVA_OPTIONS",
    "CLASSPATH",
    "GIT_*",
    "SSH_*",
    "GPG_*",
    "DBUS_*",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "XDG_RUNTIME_DIR",
    "*_PROXY",
    "*_proxy",
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "PWD",
    "TMPDIR",
    "CODEX_HOME",
    "CLAUDE_CONFIG_DIR",
    "ANTHROPIC_BASE_URL",
    "RINGWALL_*",
    "VSCODE_*",
};

std::pair<std::string_view, std::string_view> split_assignment(std::string_view assignment) {
  size_t equals = assignment.find('=');
  if (equals == std::string_view::npos) return {assignment, {}};
  return {assignment.substr(0, equals), assignment.substr(equals + 1)};
}

class EnvironmentList {
 public:
  // Later entries replace earlier ones of the same name.
  void put(std::string_view name, std::string_view value, std::string_view reason) {
    std::erase_if(entries_, [&](const EnvironmentEntry& entry) { return entry.name == name; });
    entries_.push_back({std::string(name), std::string(value), std::string(reason)});
  }
  std::vector<EnvironmentEntry> take() { return std::move(entries_); }

 private:
  std::vector<EnvironmentEntry> entries_;
};

}  // namespace

std::span<const InheritedVariable> inherited_variables() { return kInherited; }

bool is_dangerous_variable(std::string_view name) {
  return std::any_of(std::begin(kDangerous), std::end(kDangerous),
                     [&](std::string_view pattern) { return text::matches(name, pattern); });
}

std::vector<EnvironmentEntry> plan_environment(const EnvironmentRequest& request) {
  EnvironmentList list;
  bool inherit_all = is_taken_away(Wall::environment);
  for (const std::string& assignment : request.caller) {
    auto [name, value] = split_assignment(assignment);
    for (const InheritedVariable& row : kInherited) {
      if (text::matches(name, row.name)) list.put(name, value, row.reason);
    }
    bool passed = std::find(request.pass.begin(), request.pass.end(), name) != request.pass.end();
    if (passed || inherit_all) list.put(name, value, "passed on by the person's wish");
  }
  list.put("HOME", request.home, "the private home");
  list.put("USER", request.user, "who runs inside");
  list.put("LOGNAME", request.user, "who runs inside");
  list.put("SHELL", request.shell, "the person's shell");
  list.put("PATH", request.search_path, "folders that are there inside");
  list.put("PWD", request.working_folder, "the working folder");
  list.put("TMPDIR", "/tmp", "temporary files of this run");
  list.put("RINGWALL_RUN", request.run_name,
           "tells tools that they run inside; no wall depends on it");
  for (const std::string& assignment : request.set) {
    auto [name, value] = split_assignment(assignment);
    list.put(name, value, "set by the person");
  }
  return list.take();
}

std::vector<EnvironmentEntry> plan_git_settings(const GitRequest& request) {
  if (is_taken_away(Wall::git_settings)) return {};
  struct Setting {
    std::string key, value, reason;
  };
  std::vector<Setting> settings = {
      {"core.fsmonitor", "false",
       "a repository's fsmonitor is a program that runs at every status"},
      {"safe.bareRepository", "explicit",
       "a folder that looks like a bare repository is not taken for one"},
      {"core.attributesFile", "/dev/null", "filters are programs"},
      {"protocol.ext.allow", "never", "ext:: addresses are programs"},
      {"credential.helper", "", "helpers are programs, and their keys are not here"},
      {"commit.gpgsign", "false", "the signing key is not here"},
      {"tag.gpgsign", "false", "the signing key is not here"},
  };
  if (!request.hooks) settings.push_back({"core.hooksPath", "/dev/null", "hooks are programs"});
  if (!request.workspace.empty())
    settings.push_back({"safe.directory", request.workspace, "the workspace, whoever owns it"});
  if (!request.ignore_file.empty())
    settings.push_back({"core.excludesFile", request.ignore_file, "hidden files cannot be added"});
  for (const auto& [key, value] : request.preferences)
    settings.push_back({key, value, "the person's own"});
  std::vector<EnvironmentEntry> entries = {
      {"GIT_CONFIG_NOSYSTEM", "1", "the host's settings for all users stay out"},
      {"GIT_CONFIG_COUNT", std::to_string(settings.size()), "settings that no file can change"},
  };
  for (size_t i = 0; i < settings.size(); i++) {
    entries.push_back({"GIT_CONFIG_KEY_" + std::to_string(i), settings[i].key, settings[i].reason});
    entries.push_back(
        {"GIT_CONFIG_VALUE_" + std::to_string(i), settings[i].value, settings[i].reason});
  }
  return entries;
}

}  // namespace ringwall::sandbox
