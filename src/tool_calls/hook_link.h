// A hook's way to the supervisor, from inside a run. See gate/gate_channel.h.
#pragma once

#include "base/result.h"
#include "gate/gate_channel.h"

namespace ringwall::tool_calls {

// True in a run whose hooks are heard: its rules lie where only a supervisor, or root, puts them.
bool is_inside();

// Nobody waits for it, and nothing depends on it.
void tell_supervisor(const gate::GateNotice& notice);

// Waits for the person.
Result<gate::GateAnswer> ask_supervisor(const gate::GateNotice& notice, int most_seconds);

}  // namespace ringwall::tool_calls
