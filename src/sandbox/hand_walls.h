// The walls around the hand: it works inside the sandbox's user and mount namespaces, where it may
// mount and look at the agent's processes, and has no other right anywhere. It sees the files that
// the agent sees. (Landlock would forbid it to mount.)
#pragma once

#include <sys/types.h>

#include <vector>

#include "base/result.h"
#include "sandbox/helper_walls.h"
#include "sandbox/plan.h"

namespace ringwall::sandbox {

struct HandRoom {
  std::vector<int> kept;  // descriptors above 2 that stay open
  int user_namespace = -1;
  int mount_namespace = -1;
  const Identity& identity;
};

// Ends the process if its parent is gone. The namespaces' descriptors are closed.
Status enter_hand_walls(const HandRoom& room, pid_t parent);

// What the hand may still call, and why: for the documentation.
std::span<const HelperCalls> hand_calls();

// Tries, from within, what the walls forbid; `processes` is the host's /proc.
std::vector<HelperAct> try_acts_forbidden_to_hand(int processes, pid_t parent);

}  // namespace ringwall::sandbox
