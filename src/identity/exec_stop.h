// The exec stop: a process beside the supervisor that holds pid 1 of the sandbox, and so every
// process inside from its birth, by ptrace. A program that was executed stands before its first
// instruction: what really was executed is hashed then, and who may not run is killed. Where files
// that the inside can write may run, mapping a file for execution is judged too.
//
// If this process ends, however it ends, the kernel kills everything inside (PTRACE_O_EXITKILL).
#pragma once

#include <functional>

#include "base/result.h"
#include "base/standing_tasks.h"
#include "base/tried_act.h"
#include "identity/exec_judge.h"

namespace ringwall::identity {

struct ExecStopInputs {
  int channel = -1;    // to the supervisor
  int processes = -1;  // the host's /proc
  pid_t init = -1;     // pid 1 of the sandbox, which waits for its id maps
  StopRules rules;
  StandingTasks standing;
  // Called once, before the first process inside is let go: every wall of the sandbox stands.
  std::function<Status()> enter_walls;
  std::function<std::vector<TriedAct>()> try_acts;
};

// Returns when nothing is left inside, or the supervisor is gone.
void run_exec_stop(ExecStopInputs inputs);

}  // namespace ringwall::identity
