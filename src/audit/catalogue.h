// Every check of `ringwall audit`, in one place: its number, how grave a finding is, what could
// happen, which published attack had that shape, and what to change. docs/audit.md is made from it.
//
// A number belongs to its check for ever: people write it into their own lists of exceptions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ringwall::audit {

enum class Severity : uint8_t { info, low, medium, high, critical };
std::string_view name_of(Severity severity);

struct Check {
  std::string_view number;  // RW1xx: of this machine, RW2xx: of a repository
  Severity severity;
  std::string_view group;  // a heading in the docs
  std::string_view title;  // what was found, in a few words
  std::string_view danger;
  std::string_view known;   // the published incident or CVE of that shape; may be empty
  std::string_view change;  // what to do about it
};

// The tables, in the order of their numbers.
std::vector<std::span<const Check>> catalogue();
std::span<const Check> machine_agent_checks();  // of this machine: settings of agents
std::span<const Check> machine_host_checks();   // of this machine: everything around them
std::span<const Check> agent_checks();          // of a repository: settings and texts of agents
std::span<const Check> tool_checks();           // of a repository: editors, packages, CI, names
std::span<const Check> git_checks();            // of a repository: what git obeys

// Null if no check has that number.
const Check* find_check(std::string_view number);

// docs/audit.md, without what is read of this machine (machine_audit/page.h).
std::string catalogue_page();

}  // namespace ringwall::audit
