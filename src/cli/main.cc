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
    {"run", "run a command behind the walls", cmd_run, "--policy --detach --cast --explain --json"},
    {"verify", "try every promise that is built, from inside", cmd_verify, "--json"},
    {"doctor", "say what this host can do, and what mends what it cannot", cmd_doctor, "--json"},
    {"runs", "list the runs that are going on", cmd_runs, "--json"},
    {"exec", "start a further command inside a run", cmd_exec},
    {"attach", "show the terminal of a run on this one", cmd_attach,
     "--watch --take --detach-keys"},
    {"pause", "stop everything inside a run", cmd_pause},
    {"resume", "let a paused run go on", cmd_resume},
    {"replay", "play a recording made by run --cast", cmd_replay, "--speed --idle --size"},
    {"clean", "remove what a crash or a power cut left", cmd_clean,
     "--homes --home --dry-run --json"},
    {"quarantine", "list, show, restore or remove what was taken from runs", cmd_quarantine,
     "--json --run --to --all"},
    {"completion", "print the completion script of bash, zsh or fish", cmd_completion},
    {"version", "print the version", cmd_version},
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
