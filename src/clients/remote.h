// A process inside a run of another supervisor's: asks over the control socket, forwards signals,
// waits.
#pragma once

#include <array>
#include <string>

#include "base/result.h"
#include "clients/front_end.h"
#include "processes/outcome.h"
#include "sandbox/messages.h"
#include "state/control.h"

namespace ringwall::clients {

// `stdio` becomes 0 to 2 inside.
Result<processes::Outcome> run_in(const std::string& run_name, const sandbox::SpawnRequest& request,
                                  const std::array<int, 3>& stdio);

// A control connection to a run that is going on, whether it answers or not.
Result<Fd> connect_to_run(const std::string& run_name);
// To one that answers.
Result<Fd> connect_to_listening_run(const std::string& run_name);

// Shows the run's terminal on the caller's until the run ends or the person leaves.
Result<Parting> attach_to(const std::string& run_name, state::AttachMode mode,
                          const terminal::DetachKeys& keys);

// False if it was so before.
Result<bool> pause_run(const std::string& run_name, bool paused);

}  // namespace ringwall::clients
