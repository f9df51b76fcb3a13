// A shell command: every program that it would run, the files it names, the variables it sets.
#pragma once

#include "gate/resolve_path.h"
#include "gate/rule_index.h"
#include "gate/verdict.h"

namespace ringwall::gate {

// Adds the command's parts. True if every one of them is allowed by a rule.
bool judge_command(const RuleIndex& rules, std::string_view command, const std::string& folder,
                   const Place& place, PathResolver& resolver, Rulings& rulings);

}  // namespace ringwall::gate
