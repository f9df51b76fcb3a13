// Variables set for a command that make programs run other code: NAME=value git push.
#pragma once

#include <string_view>

#include "gate/verdict.h"
#include "shell/analysis.h"

namespace ringwall::gate {

// Asks, or nothing: PAGER=cat and PYTHONPATH=src are everyday.
Ruling judge_assignment(const shell::Assignment& assignment);

// Known to change nothing about what runs: NODE_ENV, LC_ALL …
bool is_harmless_variable(std::string_view name);

}  // namespace ringwall::gate
