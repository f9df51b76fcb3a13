// ringwall hook: what the hooks of an agent call. Whatever is wrong with its own command line
// denies too: an agent would take any other exit status than 2 for leave to go on.
#include <cstdio>
#include <optional>

#include "base/file.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/walled_hook.h"
#include "gate/hook_reply.h"
#include "gate/hook_settings.h"
#include "tool_calls/hook_process.h"

namespace ringwall::cli {
namespace {

constexpr const char* kExamples =
    R"(The agent's hook JSON comes on stdin; the answer is in that agent's own words.
What cannot be judged is denied. In a run the agent's managed settings call it
already; without one, put the settings that `print` gives where it says.

Examples:
  ringwall hook print --agent claude              settings to paste
  ringwall hook --agent codex --event PreToolUse  what such settings call
  ringwall explain command 'git push --force'     what the rules say, and why)";

std::string list_agents() {
  std::vector<std::string> names;
  for (const gate::Dialect& dialect : gate::dialects())
    names.emplace_back(dialect.name);
  return text::join(names, ", ");
}

int deny(const std::string& why) {
  complain("denied: " + why, "see: ringwall hook --help");
  return gate::kDenyStatus;
}

int print_settings(const gate::Dialect& dialect) {
  auto program = file::read_link("/proc/self/exe");
  if (!program) {
    complain(program.error());
    return kUsageStatus;
  }
  fprintf(stderr, "for %s, merged with what is there:\n",
          std::string(gate::settings_file(dialect.agent)).c_str());
  printf("%s", gate::hook_settings(dialect.agent, *program).c_str());
  return 0;
}

struct Words {
  std::string agent;
  std::string event;
  bool prints = false;
  bool walled = false;
};

// Without the option parser, which would take a tenth of the time that a hook has.
std::optional<Words> read_words(const std::vector<std::string>& arguments) {
  Words words;
  for (size_t i = 0; i < arguments.size(); i++) {
    bool has_value = i + 1 < arguments.size();
    if (arguments[i] == "print" && i == 0) {
      words.prints = true;
    } else if (arguments[i] == "--walled" && !words.walled) {
      words.walled = true;
    } else if (arguments[i] == "--agent" && has_value && words.agent.empty()) {
      words.agent = arguments[++i];
    } else if (arguments[i] == "--event" && has_value && words.event.empty()) {
      words.event = arguments[++i];
    } else {
      return std::nullopt;
    }
  }
  return words;
}

int print_help() {
  CommandLine line("Judges a tool call of an agent, for the agent's hooks.", "hook",
                   "ringwall hook --agent NAME [--event EVENT] [--walled] | ringwall hook print "
                   "--agent NAME");
  line.footer(kExamples);
  Words words;
  line.add_option("--agent", words.agent, "whose hook it is: " + list_agents()).type_name("NAME");
  line.add_option("--event", words.event, "what the agent calls the event").type_name("EVENT");
  line.add_flag("--walled", words.walled,
                "judge nothing, and refuse unless this is inside a run (see: ringwall install)");
  return line.parse({"--help"}).value_or(0);
}

}  // namespace

int cmd_hook(const Invocation& invocation) {
  for (const std::string& argument : invocation.arguments) {
    if (argument == "--help" || argument == "-h") return print_help();
  }
  auto words = read_words(invocation.arguments);
  if (!words) return deny("these arguments are not known");
  if (words->agent.empty()) return deny("whose hook is it? --agent is one of: " + list_agents());
  const gate::Dialect* dialect = gate::dialect_by_name(words->agent);
  if (dialect == nullptr)
    return deny("no agent is called " + text::quote(words->agent) + "; known: " + list_agents());
  if (words->walled && !words->prints) return run_walled_hook(*dialect, words->event);
  return words->prints ? print_settings(*dialect)
                       : tool_calls::run_hook({*dialect, std::move(words->event)});
}

}  // namespace ringwall::cli
