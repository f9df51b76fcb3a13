// Sockets that appeared in the trees while a run goes on: those that a program outside has made are
// masked, as those of the start are. A process of its own looks, in the sandbox's user, network and
// mount namespaces, and ends: it reads nothing that comes from inside.
//
// Who made a socket shows by the network namespace that it is in: nobody inside can make another
// one, nor a socket in the host's.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "sandbox/plan.h"

namespace ringwall::hand {

struct LaterSocket {
  std::string path;  // the same outside and inside
  int file = -1;     // O_PATH, of what lies there outside
};

struct LaterSocketsRoom {
  std::vector<int> kept;  // descriptors above 2 that stay open
  int user_namespace = -1;
  int network_namespace = -1;
  int mount_namespace = -1;
  int mask = -1;  // see NewRoot
  const sandbox::Identity& identity;
};

// For each that was given.
struct JudgedSocket {
  bool is_hosts = false;
  bool is_connected = false;  // something inside has a connection to it
  // Why it could not be masked; 0: it is now, or lies elsewhere by now. EALREADY: it was.
  int32_t err = 0;
};

// Joins them on its way. Ends the process if its parent is gone.
Result<std::vector<JudgedSocket>> mask_hosts_sockets(const LaterSocketsRoom& room,
                                                     const std::vector<LaterSocket>& sockets,
                                                     pid_t parent);

}  // namespace ringwall::hand
