// A process inside a run of another supervisor's: asks over the control socket, forwards signals,
// waits.
#pragma once

#include <array>
#include <string>

#include "base/result.h"
#include "sandbox/messages.h"
#include "session/control.h"
#include "session/front_end.h"
#include "session/outcome.h"

namespace ringwall::session {

// `stdio` becomes 0 to 2 inside.
Result<Outcome> run_in(const std::string& run_name, const sandbox::SpawnRequest& request,
                       const std::array<int, 3>& stdio);

// A control connection to a run that is going on.
Result<Fd> connect_to_run(const std::string& run_name);

// Shows the run's terminal on the caller's until the run ends or the person leaves.
Result<Parting> attach_to(const std::string& run_name, AttachMode mode,
                          const terminal::DetachKeys& keys);

// False if it was so before.
Result<bool> pause_run(const std::string& run_name, bool paused);

}  // namespace ringwall::session
