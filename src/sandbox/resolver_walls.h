// The walls around the process that resolves names. The host's own resolver does what the host's
// settings say (libraries, daemons, servers), so its calls cannot be listed; what it has no use for
// is refused, and it sees no file but those of the system.
#pragma once

#include <sys/types.h>

#include <vector>

#include "base/result.h"
#include "base/tried_act.h"

namespace ringwall::sandbox {

Status enter_resolver_walls(const std::vector<int>& kept, pid_t parent);

// Tries, from within, what they forbid. Files belong to Landlock: without it they are not tried.
std::vector<TriedAct> try_resolver_acts();

}  // namespace ringwall::sandbox
