// What of a run's trees is kept for `ringwall undo`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "policy/policy.h"
#include "prepare/guarded_files.h"

namespace ringwall::prepare {

struct KeptTree {
  std::string path;
  int64_t newest = 0;  // files::ScanResult
};

// Those that the run can change. One that lies in another is seen with that.
std::vector<KeptTree> trees_to_keep(const GuardedFiles& guarded);

// Does the policy want it, and is there anything that the run can change?
bool keeps_for_undo(const policy::Policy& policy, const GuardedFiles& guarded);

}  // namespace ringwall::prepare
