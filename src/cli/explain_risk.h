// ringwall explain risk: the sum that a run's risk is made of.
#pragma once

#include <string>

#include "base/result.h"

namespace ringwall::cli {

// `run` may be empty where only one goes on. Gives the exit status.
Result<int> explain_risk(const std::string& run, bool json);

}  // namespace ringwall::cli
