// The relay: a process of its own that holds the terminals of the inside and shows them. It parses
// what the agent prints, so it has nothing that would be worth taking over: descriptors that it was
// handed, and no way to get others (the caller of `run_relay` has put up the walls).
#pragma once

#include "base/tried_act.h"

namespace ringwall::terminal {

// Serves the supervisor at the other end of `channel` until it hangs up.
void run_relay(int channel, TryActs try_acts);

}  // namespace ringwall::terminal
