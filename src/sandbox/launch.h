// The supervisor's side of a start: one clone3 into all namespaces, the id maps, and the wait until
// the child says that every wall stands.
#pragma once

#include <functional>

#include "base/fd.h"
#include "base/result.h"
#include "limits/cgroup.h"
#include "sandbox/child.h"
#include "sandbox/early_namespaces.h"
#include "sandbox/plan.h"
#include "sandbox/wall.h"

namespace ringwall::sandbox {

struct LaunchInputs {
  const Plan& plan;
  int stdio[3] = {0, 1, 2};
  std::optional<TerminalRequest> terminal;
  std::span<char> start_area;
  RunBuiltin run_builtin = nullptr;
  limits::Cgroup* cgroup = nullptr;  // that the sandbox is to live in; null: none
  EarlyNamespaces* early = nullptr;
  StandingTasks standing = {};
  // Called with pid 1 while it waits for its id maps; may be empty.
  std::function<Status(pid_t init)> hold = {};
};

struct Launched {
  pid_t pid = -1;  // pid 1 of the sandbox, as the host sees it
  Fd pidfd;
  Fd channel;
  Fd terminal;                         // the near side of the command's terminal, once it is ready
  Fd user_namespace, mount_namespace;  // for the hand, and for masks while it goes on
  Fd network_namespace;                // with the former, for changes while it goes on
  bool network_may_change = false;     // by who holds these
  HandedOut handed_out;                // once it is ready
};

// Why no sandbox came up. The text names the step; `wall` leads to what mends it.
struct LaunchFailure {
  Wall wall;
  std::string step;
  Error error;
};

using LaunchResult = std::expected<Launched, LaunchFailure>;

// Returns as soon as the child is on its way; what else the supervisor has to do can be done
// meanwhile.
LaunchResult launch(const LaunchInputs& inputs);

// Blocks until every wall stands and the command is started, or says which wall could not be built.
// The child is gone then.
std::expected<void, LaunchFailure> wait_until_ready(Launched& launched);

// For a plan that awaits it: lets the command start.
Status let_start(const Launched& launched);

// Ends pid 1 and with it, by the kernel's hand, everything inside. The kernel needs a while, for
// the mounts above all; `end_sandbox` returns when all is gone.
void kill_sandbox(const Launched& launched);
void end_sandbox(const Launched& launched);

}  // namespace ringwall::sandbox
