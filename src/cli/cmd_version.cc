// ringwall version, and ringwall help.
#include <gnu/libc-version.h>

#include <boost/json.hpp>
#include <cstdio>

#include "build_facts.inc"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"

namespace ringwall::cli {
namespace {

namespace json = boost::json;

constexpr const char* kExamples = R"(Examples:
  ringwall version
  ringwall version --json | jq -r .commit)";

// Every fact is of the build, but for the C library, which is the host's.
json::object build_facts() {
  json::object out{{"version", RINGWALL_VERSION}, {"commit", json::value()},
                   {"committed", json::value()},  {"changed", kIsChanged},
                   {"compiler", kCompiler},       {"build_type", kBuildType},
                   {"architecture", "x86_64"},    {"libc", gnu_get_libc_version()}};
  if (*kCommit != '\0') out["commit"] = kCommit;
  if (*kCommitted != '\0') out["committed"] = kCommitted;
  return out;
}

}  // namespace

int cmd_version(const Invocation& invocation) {
  CommandLine line("Prints the version.", "version", "ringwall version [--json]");
  line.footer(kExamples);
  bool as_json = false;
  line.add_flag("--json", as_json, "with facts of the build, as a JSON object");
  if (auto status = line.parse(invocation.arguments)) return *status;
  if (as_json) {
    printf("%s\n", json::serialize(build_facts()).c_str());
  } else {
    printf("ringwall %s\n", RINGWALL_VERSION);
  }
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
