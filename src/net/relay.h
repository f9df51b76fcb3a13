// Who we are here: the process that everything from inside arrives at. Every connection, to
// whatever address, and every question for a name ends at sockets that we hold. We read names,
// compare them and move bytes; the supervisor decides, resolves and dials. We can open no file and
// make no socket.
#pragma once

#include <cstddef>

#include "base/tried_act.h"

namespace ringwall::net {

struct RelayInputs {
  int channel = -1;             // to the supervisor
  size_t most_connections = 0;  // as many as there are descriptors for
  TryActs try_acts = nullptr;
};

// Behind its walls already. Returns when the supervisor is gone.
void run_relay(const RelayInputs& inputs);

}  // namespace ringwall::net
