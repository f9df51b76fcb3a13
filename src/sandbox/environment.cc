#include "sandbox/environment.h"

#include <algorithm>

#include "base/text.h"
#include "sandbox/file_plan.h"
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

std::pair<std::string_view, std::string_view> split_assignment(std::string_view assignment) {
  size_t equals = assignment.find('=');
  if (equals == std::string_view::npos) return {assignment, {}};
  return {assignment.substr(0, equals), assignment.substr(equals + 1)};
}

class EnvironmentList {
 public:
  // Later entries replace earlier ones of the same name.
  void put(std::string_view name, std::string_view value, std::string_view reason,
           const policy::Rule& rule = {}) {
    std::erase_if(entries_, [&](const EnvironmentEntry& entry) { return entry.name == name; });
    entries_.push_back({std::string(name), std::string(value), std::string(reason), rule});
  }
  std::vector<EnvironmentEntry> take() { return std::move(entries_); }

 private:
  std::vector<EnvironmentEntry> entries_;
};

}  // namespace

std::vector<EnvironmentEntry> plan_environment(const EnvironmentRequest& request) {
  EnvironmentList list;
  bool inherit_all = is_taken_away(Wall::environment);
  for (const std::string& assignment : request.caller) {
    auto [name, value] = split_assignment(assignment);
    for (const InheritedVariable& row : kInherited) {
      if (text::matches(name, row.name)) list.put(name, value, row.reason);
    }
    auto passed = std::find_if(request.pass.begin(), request.pass.end(),
                               [&](const policy::Text& entry) { return entry.value == name; });
    if (passed != request.pass.end()) {
      list.put(name, value, "passed on (" + passed->origin.text() + ")",
               {"environment.pass", passed->origin});
    } else if (inherit_all) {
      list.put(name, value, "inherited");
    }
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
  for (const policy::Text& entry : request.set) {
    auto [name, value] = split_assignment(entry.value);
    list.put(name, value, "set (" + entry.origin.text() + ")", {"environment.set", entry.origin});
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
  if (!request.has_network) {
    settings.push_back(
        {"core.sshCommand",
         "echo 'ringwall: there is no network inside: run this git command outside' >&2; exit 1 #",
         "there is no network, and the person's keys are not here"});
    settings.push_back({"ssh.variant", "simple", "else git would ask it first which ssh it is"});
    // Git has no setting for words of our own here, but says the name of a proxy that it cannot
    // find. Names of one part, such as localhost, are servers inside.
    for (const char* urls : {"https://*.*", "https://*.*.*", "http://*.*", "http://*.*.*"}) {
      settings.push_back({std::string("http.") + urls + ".proxy",
                          "http://no-network-inside-ringwall.run-this-git-command-outside",
                          "there is no network"});
    }
  }
  if (!request.credential_socket.empty()) {
    // Git's own client, and us in its daemon's place.
    settings.push_back({"credential.helper", "cache --socket " + request.credential_socket,
                        "logins to granted hosts are asked for outside"});
    settings.push_back({"core.sshCommand",
                        "ssh -o StrictHostKeyChecking=yes -o UpdateHostKeys=no -o BatchMode=yes",
                        "hosts are those of known_hosts, which cannot be changed"});
  }
  if (!request.hooks) settings.push_back({"core.hooksPath", "/dev/null", "hooks are programs"});
  // Each look at a file costs more through an overlay; this saves git the look at each folder.
  if (request.is_review)
    settings.push_back({"core.untrackedCache", "true", "git status is as quick as without review"});
  if (!request.workspace.empty())
    settings.push_back({"safe.directory", request.workspace, "the workspace, whoever owns it"});
  if (!request.ignore_file.empty())
    settings.push_back({"core.excludesFile", request.ignore_file, "hidden files cannot be added"});
  std::vector<EnvironmentEntry> entries = {
      {"GIT_CONFIG_SYSTEM", kGitSettingsFile,
       "the person's preferences, which a repository may overrule; the host's settings stay out"},
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
