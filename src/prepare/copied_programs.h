// Denied programs among the files that are copied into a private home: they come from no tree that
// is searched, and are judged by the bytes that were read.
#pragma once

#include <vector>

#include "prepare/exec_plan.h"
#include "sandbox/file_plan.h"

namespace ringwall::prepare {

// Adds to the plan's findings what must not be copied. After the rules were resolved.
void find_denied_copies(ExecPlan& plan, const std::vector<sandbox::MadeFile>& copies);

}  // namespace ringwall::prepare
