// The walls around the exec stop: it works inside the sandbox's user and mount namespaces, where it
// may trace and look at the agent's processes, and has no other right anywhere. It opens files to
// read them, those that the agent sees. (Under Landlock it could not look at those processes.)
#pragma once

#include <sys/types.h>

#include <vector>

#include "base/result.h"
#include "base/tried_act.h"
#include "sandbox/helper_walls.h"
#include "sandbox/plan.h"

namespace ringwall::hand {

struct ExecStopRoom {
  int user_namespace = -1;  // closed on the way in
  int mount_namespace = -1;
  const sandbox::Identity& identity;
  bool needs_kill = false;  // the kernel's ptrace cannot kill (before Linux 5.19)
};

// Ends the process if its parent is gone.
Status enter_exec_stop_walls(const ExecStopRoom& room, pid_t parent);

// What it may still call, and why: for the documentation.
std::span<const sandbox::HelperCalls> exec_stop_calls();

// Tries, from within, what the walls forbid; `processes` is the host's /proc.
std::vector<TriedAct> try_acts_forbidden_to_exec_stop(int processes, pid_t parent);

}  // namespace ringwall::hand
