// The walls around the hand: it works inside the sandbox's user and mount namespaces, where it may
// mount and look at the agent's processes, and has no other right anywhere. It sees the files that
// the agent sees. (Landlock would forbid it to mount.)
#pragma once

#include <sys/types.h>

#include <vector>

#include "base/result.h"
#include "sandbox/helper_walls.h"
#include "sandbox/plan.h"

namespace ringwall::hand {

struct HandRoom {
  std::vector<int> kept;  // descriptors above 2 that stay open
  int user_namespace = -1;
  int mount_namespace = -1;
  const sandbox::Identity& identity;
  bool learns = false;  // looks up where the callers' folders are
};

// Ends the process if its parent is gone. The namespaces' descriptors are closed.
Status enter_hand_walls(const HandRoom& room, pid_t parent);

// Part of it, for another helper that works there: this process sees the sandbox's files and has
// every right in its user namespace. The descriptors are closed.
Status join_sandbox(int user_namespace, int mount_namespace, const sandbox::Identity& identity);

// Its two halves, for one that has to do something in between.
Status join_users(int user_namespace, const sandbox::Identity& identity);
Status join_mounts(int mount_namespace, const sandbox::Identity& identity);

// What the hand may still call, and why: for the documentation.
std::span<const sandbox::HelperCalls> hand_calls();

// Tries, from within, what the walls forbid; `processes` is the host's /proc.
std::vector<TriedAct> try_acts_forbidden_to_hand(int processes, pid_t parent);

}  // namespace ringwall::hand
