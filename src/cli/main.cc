// The program's entry: closes what it was not given on purpose, then hands over to one command.
#include <cstdio>
#include <cstring>

#include "base/text.h"
#include "cli/command.h"
#include "cli/output.h"
#include "sandbox/descriptors.h"
#include "sandbox/wall.h"

namespace ringwall::cli {
namespace {

constexpr Command kCommands[] = {
    {"run", "run a command behind the walls", cmd_run,
     "--policy --detach --cast --verbose --explain --json"},
    {"learn", "run a command behind the walls, and propose what it missed", cmd_learn,
     "--policy --cast --verbose --write --json"},
    {"verify", "try every promise from inside", cmd_verify, "--json"},
    {"doctor", "say what this host can do, and what mends what it cannot", cmd_doctor, "--json"},
    {"install", "let the plain name of an agent run behind the walls", cmd_install,
     "--system --dry-run --json"},
    {"installed", "show which agents are walled, and ways around it", cmd_installed,
     "--system --json"},
    {"uninstall", "undo install, byte for byte", cmd_uninstall, "--system --json"},
    {"off", "let an installed agent run without walls for a while", cmd_off,
     "--for --reason --end"},
    {"start", "start an installed agent, as its plain name does", cmd_start},
    {"ls", "list the runs that are going on", cmd_ls, "--json --names"},
    {"inspect", "show all that there is to know of a run", cmd_inspect, "--json"},
    {"top", "show all runs as they go on, and answer what waits", cmd_top, "--once --json"},
    {"log", "show what was decided in a run, or check its record", cmd_log,
     "--follow --denied --network --json --verify --list"},
    {"risk", "lower the risk of a run, compute it from a record, or draw it", cmd_risk,
     "--reason --output --json"},
    {"diff", "show what a run under review has changed", cmd_diff,
     "--stat --json --color --no-pager"},
    {"apply", "take over what a run under review has changed", cmd_apply,
     "--pick --dry-run --rest --json"},
    {"shell", "look around in what a review has made of the workspace", cmd_shell},
    {"discard", "throw away what a run under review has changed", cmd_discard},
    {"history", "list what runs did to their folders", cmd_history, "--json"},
    {"undo", "put back what a run changed or deleted", cmd_undo, "--added --dry-run --json"},
    {"allow", "let a run that goes on reach a host", cmd_allow, "--for"},
    {"deny", "keep a run that goes on from a host", cmd_deny, "--for"},
    {"approve", "let a connection go on that waits for you", cmd_approve},
    {"reject", "refuse a connection that waits for you", cmd_reject},
    {"stop", "ask a run to end, and end it", cmd_stop, "--all --time"},
    {"kill", "end everything inside a run at once", cmd_kill, "--all"},
    {"exec", "start a further command inside a run", cmd_exec},
    {"attach", "show the terminal of a run on this one", cmd_attach,
     "--watch --take --detach-keys"},
    {"rm", "remove the records and the home of runs that have ended", cmd_rm, "--record --home"},
    {"pause", "stop everything inside a run", cmd_pause},
    {"resume", "let a paused run go on", cmd_resume},
    {"replay", "play a recording made by run --cast", cmd_replay, "--speed --idle --size"},
    {"clean", "remove what a crash or a power cut left", cmd_clean,
     "--homes --home --dry-run --json"},
    {"quarantine", "list, show, restore or remove what was taken from runs", cmd_quarantine,
     "--json --run --to --all"},
    {"import", "write the settings of another sandbox as a policy", cmd_import, "--output --force"},
    {"explain", "say whether a run may, by which rule, and what would change it", cmd_explain,
     "--policy --json"},
    {"programs", "deny, allow and explain programs by their content", cmd_programs,
     "--policy --dry-run --json"},
    {"policy", "show the merged policy, or check policy files", cmd_policy,
     "--layer --policy --json"},
    {"profiles", "list the policies that come with Ringwall, or print one", cmd_profiles, "--json"},
    {"trust", "let the .ringwall.toml or the toolchains of a workspace give runs more", cmd_trust,
     "--workspace --yes --list --revoke --json"},
    {"hook", "judge a tool call of an agent, for the agent's hooks", cmd_hook,
     "--agent --event --walled"},
    {"mcp", "run an MCP server behind the walls, and filter what it says", cmd_mcp,
     "--policy --rules --sampling --elicitation --json --in-place --yes"},
    {"audit", "say what is open on this machine, or what waits in a repository", cmd_audit,
     "--json --sarif --html --fix"},
    {"guard", "enforce exec rules in the kernel, as root", cmd_guard, "--kind"},
    {"completion", "print the completion script of bash, zsh or fish", cmd_completion},
    {"version", "print the version", cmd_version, "--json"},
    {"help", "print this help, or that of a command", cmd_help},
};

// From the first argument to the end of the last variable: one stretch of the stack.
std::span<char> find_start_area(int argc, char** argv, char** environment) {
  if (argc == 0) return {};
  char* end = argv[argc - 1] + strlen(argv[argc - 1]) + 1;
  for (char** entry = environment; *entry != nullptr; entry++)
    end = *entry + strlen(*entry) + 1;
  return {argv[0], static_cast<size_t>(end - argv[0])};
}

int unknown_command(const std::string& name) {
  std::vector<std::string> names;
  for (const Command& command : kCommands)
    names.emplace_back(command.name);
  std::string near = text::nearest(name, names);
  complain("unknown command " + text::quote(name),
           near.empty() ? "see: ringwall help" : "did you mean: ringwall " + near + "?");
  return kUsageStatus;
}

}  // namespace

std::span<const Command> commands() { return kCommands; }

int main(int argc, char** argv, char** environment) {
  if (!sandbox::is_taken_away(sandbox::Wall::descriptors)) {
    if (Status clean = sandbox::sanitize_descriptors(); !clean) {
      complain(clean.error().text(), "");
      return kUsageStatus;
    }
  }
  std::string name = argc > 1 ? argv[1] : "help";
  if (name == "--help" || name == "-h") name = "help";
  if (name == "--version" || name == "-V") name = "version";
  Invocation invocation{{argv + std::min(argc, 2), argv + argc},
                        find_start_area(argc, argv, environment)};
  // "help run" is "run --help".
  if (name == "help" && argc > 2 && argv[2][0] != '-') {
    name = argv[2];
    invocation.arguments = {"--help"};
  }
  for (const Command& command : kCommands) {
    if (command.name == name) return command.run(invocation);
  }
  return unknown_command(name);
}

}  // namespace ringwall::cli

int main(int argc, char** argv, char** environment) {
  return ringwall::cli::main(argc, argv, environment);
}
