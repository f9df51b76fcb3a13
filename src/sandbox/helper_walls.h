// The walls around Ringwall's own helpers. A helper handles bytes of the agent's choice with the
// caller's rights: whoever takes it over must find nothing to use them on. It works on descriptors
// that were opened before or are handed to it; it opens, connects, starts and signals nothing.
#pragma once

#include <sys/types.h>

#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ringwall::sandbox {

// Ends everything that this process could do beyond its descriptors. `kept` are the descriptors
// above 2 that stay open; 0 to 2 become /dev/null. Ends the process if its parent is gone.
Status enter_helper_walls(std::vector<int> kept, pid_t parent, int landlock_abi);

// What a helper may still call, and why: for the documentation.
struct HelperCalls {
  std::string_view why;
  std::string_view names;
};
std::span<const HelperCalls> helper_calls();

// Tries, from within, what the walls forbid. One entry an act; 0 means that it worked.
struct HelperAct {
  std::string_view name;
  int err;
};
std::vector<HelperAct> try_forbidden_acts();

}  // namespace ringwall::sandbox
