// A process inside a run of another supervisor's: asks over the control socket, forwards signals,
// waits.
#pragma once

#include <array>
#include <string>

#include "base/result.h"
#include "sandbox/messages.h"
#include "session/supervise.h"

namespace ringwall::session {

// `stdio` becomes 0 to 2 inside.
Result<Outcome> run_in(const std::string& run_name, const sandbox::SpawnRequest& request,
                       const std::array<int, 3>& stdio);

}  // namespace ringwall::session
