// ringwall version, and ringwall help.
#include <cstdio>

#include "cli/command.h"
#include "cli/output.h"

namespace ringwall::cli {

int cmd_version(const Invocation&) {
  printf("ringwall %s\n", RINGWALL_VERSION);
  return 0;
}

int cmd_help(const Invocation&) {
  printf(
      "Ringwall puts an AI coding agent, or any command, behind walls.\n\n"
      "Usage: ringwall COMMAND [OPTIONS]\n\nCommands:\n");
  for (const Command& command : commands()) {
    printf("  %-12.*s%.*s\n", static_cast<int>(command.name.size()), command.name.data(),
           static_cast<int>(command.summary.size()), command.summary.data());
  }
  printf(
      "\nExamples:\n"
      "  ringwall doctor             can this host build the walls?\n"
      "  ringwall run -- npm test    a command in the repository around this folder\n"
      "  ringwall verify             do the walls hold?\n\n"
      "Each command has its own help: ringwall help COMMAND\n");
  return 0;
}

}  // namespace ringwall::cli
