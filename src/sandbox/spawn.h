// One process inside, made by pid 1: the agent, a later command, or a probe.
#pragma once

#include "sandbox/child.h"
#include "sandbox/messages.h"

namespace ringwall::sandbox {

// Returns its pid, or -1 with errno. A program that cannot be run is reported by a message of its
// own.
// `terminal` is -1, or the far side of a terminal: the main command becomes a job of pid 1's
// session, which leads it; any other leads a session of its own.
pid_t spawn(const ChildInputs& inputs, uint32_t id, const SpawnRequest& request, const int stdio[3],
            int terminal);

}  // namespace ringwall::sandbox
