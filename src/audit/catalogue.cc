#include "audit/catalogue.h"

#include <algorithm>
#include <vector>

namespace ringwall::audit {
namespace {

constexpr std::string_view kHead = R"(# Audit

Made by `make docs` from the tables in `src/audit/catalogue_*.cc`.

`ringwall audit repo [DIR]` says what in a repository would run or steer something, before any agent opens it. All
parsing of what lies in it happens in a sandbox of its own that sees this folder read-only, no other file and no
network, and can only report; time, memory and the length of the report have an end. What the scanner says is checked
again outside, and escaped before it is shown.

Every finding has a number that stays the same, a severity, a place, what was seen there, and a change. The exit status
is 0 if nothing above `info` was found, 1 if something was, 125 if the audit could not be made. Neither a number nor its
absence is a promise: what an agent may do is decided by the walls of `ringwall run`, whatever lies in the repository.

`ringwall run` does a part of it at each start, after the command was started: when a file that could run or steer
something is new or has changed since the last run, the scanner looks, and one line says what it found. `--no-audit`,
or `off = true` in `[audit]`, leaves it out.
)";

std::string anchor_row(const Check& check) {
  std::string row = "| `" + std::string(check.number) + "` | " +
                    std::string(name_of(check.severity)) + " | " + std::string(check.title) +
                    " | " + std::string(check.danger);
  if (!check.known.empty()) row += " Known: " + std::string(check.known) + ".";
  return row + " | " + std::string(check.change) + " |\n";
}

}  // namespace

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::info:
      return "info";
    case Severity::low:
      return "low";
    case Severity::medium:
      return "medium";
    case Severity::high:
      return "high";
    case Severity::critical:
      break;
  }
  return "critical";
}

std::vector<std::span<const Check>> catalogue() {
  return {machine_agent_checks(), machine_host_checks(), agent_checks(), git_checks(),
          tool_checks()};
}

const Check* find_check(std::string_view number) {
  for (std::span<const Check> table : catalogue()) {
    for (const Check& check : table) {
      if (check.number == number) return &check;
    }
  }
  return nullptr;
}

std::string catalogue_page() {
  std::string page(kHead);
  // Groups in the order of their first check.
  std::vector<std::pair<std::string_view, std::string>> groups;
  for (std::span<const Check> table : catalogue()) {
    for (const Check& check : table) {
      auto group = std::ranges::find(groups, check.group, &decltype(groups)::value_type::first);
      if (group == groups.end()) group = groups.insert(group, {check.group, ""});
      group->second += anchor_row(check);
    }
  }
  for (const auto& [name, rows] : groups) {
    page += "\n## " + std::string(name) +
            "\n\n| number | severity | what | what could happen | what to change |\n"
            "| --- | --- | --- | --- | --- |\n" +
            rows;
  }
  return page;
}

}  // namespace ringwall::audit
