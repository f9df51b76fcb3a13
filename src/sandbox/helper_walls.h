// The walls around Ringwall's own helpers. A helper handles bytes of the agent's choice with the
// caller's rights: whoever takes it over must find nothing to use them on. It works on descriptors
// that were opened before or are handed to it; it opens, connects, starts and signals nothing. The
// broker and the keeper have a few folders besides, and the calls for files.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/tried_act.h"

namespace ringwall::sandbox {

enum class Helper { relay, broker, network_relay, keeper, opener };

struct HelperRoom {
  Helper who = Helper::relay;
  std::vector<int> kept;             // descriptors above 2 that stay open; 0 to 2 become /dev/null
  std::vector<std::string> folders;  // the broker's and the keeper's: what lies below them it may
                                     // change
  std::vector<std::string> looked_at = {};  // the keeper's and the opener's: what lies below them
                                            // it may read
};

// Ends everything that this process could do beyond its room. Ends the process if its parent is
// gone.
Status enter_helper_walls(const HelperRoom& room, pid_t parent, int landlock_abi);

// Parts of it, for a helper with walls of its own. The first ends the process if its parent is
// gone.
Status die_with(pid_t parent);
Status close_all_but(std::vector<int> kept);  // 0 to 2 become /dev/null
Status leave_root();                          // becomes an id that owns nothing
Status forbid_gaining();                      // no capability, no new privileges
Status keep_rights(uint32_t capabilities);    // these alone, a bit for each, and never more

// What a helper may still call, and why: for the documentation.
struct HelperCalls {
  std::string_view why;
  std::string_view names;
  Helper who = Helper::relay;  // relay: of every helper; else of this one alone
};
std::span<const HelperCalls> helper_calls();

// Tries, from within, what the walls forbid.
std::vector<TriedAct> try_forbidden_acts();

}  // namespace ringwall::sandbox
