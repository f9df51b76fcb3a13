// One call of an agent's hook, from its standard input to the answer. A worker behind walls of its
// own reads and judges; this process only waits for it, so that a crash, silence or anything else
// that goes wrong there is a denial.
#pragma once

#include <string>

#include "gate/dialect.h"

namespace ringwall::tool_calls {

struct HookRequest {
  const gate::Dialect& dialect;
  std::string event;  // as the agent calls it; empty: its input says so
};

// Answers on 1 and 2; gives the exit status. Never fails: what cannot be judged is denied.
int run_hook(const HookRequest& request);

}  // namespace ringwall::tool_calls
