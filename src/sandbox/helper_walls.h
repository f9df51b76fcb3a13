// The walls around Ringwall's own helpers. A helper handles bytes of the agent's choice with the
// caller's rights: whoever takes it over must find nothing to use them on. It works on descriptors
// that were opened before or are handed to it; it opens, connects, starts and signals nothing. The
// broker has a few folders besides, and the calls for files.
#pragma once

#include <sys/types.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ringwall::sandbox {

struct HelperRoom {
  std::vector<int> kept;             // descriptors above 2 that stay open; 0 to 2 become /dev/null
  std::vector<std::string> folders;  // the broker's: what lies below them it may change
};

// Ends everything that this process could do beyond its room. Ends the process if its parent is
// gone.
Status enter_helper_walls(const HelperRoom& room, pid_t parent, int landlock_abi);

// Parts of it, for a helper with walls of its own. The first ends the process if its parent is
// gone.
Status die_with(pid_t parent);
Status close_all_but(std::vector<int> kept);  // 0 to 2 become /dev/null

// What a helper may still call, and why: for the documentation.
struct HelperCalls {
  std::string_view why;
  std::string_view names;
  bool of_broker = false;  // of the broker alone
};
std::span<const HelperCalls> helper_calls();

// Tries, from within, what the walls forbid. One entry an act; 0 means that it worked.
struct HelperAct {
  std::string_view name;
  int err;
};
std::vector<HelperAct> try_forbidden_acts();

}  // namespace ringwall::sandbox
