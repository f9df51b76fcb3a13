// Why a wall cannot be built on this host, and the exact command that mends it. `run` and `doctor`
// use the same words.
#pragma once

#include <string>

#include "sandbox/launch.h"

namespace ringwall::sandbox {

struct Diagnosis {
  std::string reason;
  std::string mend;  // may be empty
};

Diagnosis diagnose(const LaunchFailure& failure);

}  // namespace ringwall::sandbox
