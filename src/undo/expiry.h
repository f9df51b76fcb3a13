// Old runs go: by their age, and the oldest first while too much is kept. The newest of each
// workspace stays, as long as the workspace is there. Contents that no manifest names any more go
// with them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

namespace ringwall::undo {

struct ExpiryLimits {
  uint64_t kept;  // bytes
  uint64_t age;   // milliseconds
  int64_t now;    // milliseconds since the epoch
};

struct Expired {
  std::vector<std::string> runs;  // ids
  uint64_t contents = 0;
  uint64_t bytes = 0;     // that are still kept
  bool was_busy = false;  // somebody was keeping: nothing was done
};

// `goes_on` is asked between steps; what was done until it says no is whole.
Result<Expired> expire(int undo, const ExpiryLimits& limits, const std::function<bool()>& goes_on);

// Is it time to look again? Says yes once in a while, and then not for some minutes.
bool is_time_to_expire(int undo, int64_t now);

}  // namespace ringwall::undo
