// Who looks on: a filter between the command and the caller, and the scanner of the workspace.
#include <poll.h>
#include <signal.h>

#include "session/supervisor.h"

namespace ringwall::session {

void Supervisor::hear_onlooker() {
  if (run_.onlooker.take(run_.tell)) return;
  run_.onlooker.fd = -1;
  forward(SIGTERM);
}

// What it has said before the command ended.
void Supervisor::hear_last_of_onlooker() {
  constexpr int kMost = 1024;
  pollfd ready{run_.onlooker.fd, POLLIN, 0};
  for (int i = 0; i < kMost && run_.onlooker.fd >= 0 && poll(&ready, 1, 0) > 0; i++) {
    if (!run_.onlooker.take(run_.tell)) return;
  }
}

}  // namespace ringwall::session
