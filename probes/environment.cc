// P19: the environment is built, not inherited.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

#include "base/file.h"
#include "base/text.h"
#include "probes/attempt.h"
#include "probes/probe.h"

namespace ringwall::probes {
namespace {

// What changes how programs load code, find settings or reach others, and is never passed on. (Keys
// may be, by the person's wish; the canary stands for those that were not.) A star stands at one
// end.
constexpr std::string_view kDangerous[] = {
    "LD_*",
    "GCONV_PATH",
    "BASH_ENV",
    "ENV",
    "SHELLOPTS",
    "BASHOPTS",
    "PROMPT_COMMAND",
    "BASH_FUNC_*",
    "NODE_OPTIONS",
    "NODE_PATH",
    "PYTHON*",
    "PERL5*",
    "RUBYOPT",
    "RUBYLIB",
    "JAVA_TOOL_OPTIONS",
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
    "ANTHROPIC_BASE_URL",
    "CODEX_HOME",
    "CLAUDE_CONFIG_DIR",
    "VSCODE_*",
    "RINGWALL_TAKE_AWAY",
};

// The curated settings of git, which no file can change.
bool is_curated(std::string_view name) {
  return name == "GIT_CONFIG_SYSTEM" || name == "GIT_CONFIG_COUNT" ||
         name.starts_with("GIT_CONFIG_KEY_") || name.starts_with("GIT_CONFIG_VALUE_");
}

void look_at(Acts& acts, const std::vector<std::string>& variables, const std::string& whose,
             const Outside& outside) {
  for (const std::string& variable : variables) {
    std::string name = variable.substr(0, variable.find('='));
    bool canary = !outside.canary_variable.empty() && name == outside.canary_variable;
    bool secret =
        !outside.canary_secret.empty() && variable.find(outside.canary_secret) != std::string::npos;
    const std::vector<std::string>& set = outside.set_variables;
    bool is_set = std::find(set.begin(), set.end(), name) != set.end();
    bool dangerous =
        !is_set && !is_curated(name) &&
        std::any_of(std::begin(kDangerous), std::end(kDangerous),
                    [&](std::string_view pattern) { return text::matches(name, pattern); });
    if (canary || secret || dangerous) acts.got_in(whose + " " + name);
  }
}

// The lowest process above 1 is the run's own command. False if it has no variables yet.
bool look_at_main(Acts& acts, const Outside& outside) {
  for (int pid : visible_pids()) {
    if (pid <= 1 || pid == getpid()) continue;
    auto content = file::read("/proc/" + std::to_string(pid) + "/environ");
    if (!content || content->empty()) continue;
    look_at(acts, text::split(*content, '\0'), "the command's", outside);
    acts.stopped("look for other variables in the command", "not inherited");
    return true;
  }
  return false;
}

// A run may have been started only just now.
void wait_and_look_at_main(Acts& acts, const Outside& outside) {
  constexpr int kMostTries = 50;
  for (int tries = 0; tries < kMostTries && !look_at_main(acts, outside); tries++)
    usleep(2000);
}

}  // namespace

Verdict probe_environment(const Outside& outside) {
  Acts acts;
  std::vector<std::string> own;
  for (char** entry = environ; *entry != nullptr; entry++)
    own.emplace_back(*entry);
  look_at(acts, own, "own", outside);
  acts.stopped("look for other variables", "not inherited");
  if (outside.namespaces.empty() || !shares_namespace(outside, "pid"))
    wait_and_look_at_main(acts, outside);
  auto first = file::read("/proc/1/environ");
  if (!first)
    acts.stopped("read pid 1's environment", first.error().err);
  else if (first->find(outside.canary_secret) != std::string::npos &&
           !outside.canary_secret.empty())
    acts.got_in("the canary in pid 1's environment");
  return acts.verdict();
}

}  // namespace ringwall::probes
