// For changes to a sandbox's network while it goes on: a process that enters the sandbox's user and
// network namespace, and keeps no right but the ones over that network. It reads nothing that comes
// from inside, and ends when the change is made.
#pragma once

#include <sys/types.h>

#include <vector>

#include "base/result.h"

namespace ringwall::sandbox {

struct NetworkRoom {
  int user_namespace = -1;
  int network_namespace = -1;
  std::vector<int> kept;  // descriptors that stay open
};

// Ends the process if its parent is gone.
Status enter_network_room(const NetworkRoom& room, pid_t parent);

}  // namespace ringwall::sandbox
