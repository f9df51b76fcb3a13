// ringwall audit, without `repo`: of this machine.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace ringwall::cli {

// Returns the exit status.
Result<int> audit_this_machine(const std::vector<std::string>& arguments,
                               std::span<char> start_area);

}  // namespace ringwall::cli
