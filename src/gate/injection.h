// Variables set for a command that make programs run other code: NAME=value git push.
#pragma once

#include <string_view>

#include "gate/verdict.h"
#include "shell/analysis.h"

namespace ringwall::gate {

// For which program a variable is set, and where.
struct AssignedFor {
  std::string_view program;  // as written; empty if it is for whatever comes
  std::string_view workspace;
  std::string_view home;
};

// Asks, or nothing: PAGER=cat, PYTHONPATH=src and IFS= read are everyday.
Ruling judge_assignment(const shell::Assignment& assignment, const AssignedFor& where = {});

// Known to change nothing about what runs: NODE_ENV, LC_ALL …
bool is_harmless_variable(std::string_view name);

}  // namespace ringwall::gate
