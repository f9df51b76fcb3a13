// The arguments of a tool that is not known by its name, as those of servers: at every level, what
// is a command, a file or SQL by its name or by how it looks. What is found can only ask or deny.
#pragma once

#include "gate/decide.h"
#include "gate/resolve_path.h"
#include "gate/rule_index.h"
#include "gate/verdict.h"

namespace ringwall::gate {

void judge_fields(const RuleIndex& rules, const ToolCall& call, const Place& place,
                  PathResolver& resolver, Rulings& decision);

}  // namespace ringwall::gate
