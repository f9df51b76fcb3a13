// The rules of a run, as the hooks inside read them: a file that the supervisor makes and mounts
// read-only. What it holds was merged and checked outside.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "policy/policy.h"

namespace ringwall::gate {

struct RulesOfRun {
  policy::Tools tools;
  std::string home;       // absolute
  std::string workspace;  // absolute
  bool advised = false;   // an advisor is asked about what no rule covers
};

std::string write_rules(const RulesOfRun& rules);
Result<RulesOfRun> read_rules(std::string_view text);

}  // namespace ringwall::gate
