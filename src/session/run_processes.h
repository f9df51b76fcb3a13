// The sandbox of a run and the processes that stand beside it, each started from what was prepared.
#pragma once

#include <span>

#include "base/channel.h"
#include "guard/guard_client.h"
#include "processes/limit_watch.h"
#include "processes/stdio.h"
#include "sandbox/launch.h"
#include "session/broker_link.h"
#include "session/exec_stop_link.h"
#include "session/hand_link.h"
#include "session/run.h"

namespace ringwall::session {

// With an exec stop, pid 1 is held from its first moments on.
sandbox::LaunchResult launch(const RunHooks& hooks, prepare::Preparation& prepared,
                             const processes::Stdio& stdio, limits::Cgroup& cgroup,
                             ExecStopLink& exec_stop);

processes::WatchInputs plan_watch(const prepare::Preparation& prepared,
                                  const sandbox::Launched& launched, const limits::Cgroup& cgroup);

// `ground` is from before the command was let go.
Result<BrokerLink> start_broker(const prepare::Preparation& prepared, std::span<char> start_area,
                                const Result<BrokerGround>& ground, int hand);

// Where the hand asks the broker about updates of git configs.
Result<channel::Pair> connect_hand_and_broker(const sandbox::Plan& plan);

Result<HandLink> start_hand(const prepare::Preparation& prepared, sandbox::Launched& launched,
                            Fd broker, std::span<char> start_area, std::span<char> wanted);

// Last, before anything of the inside runs.
Result<guard::GuardLink> start_guard(const prepare::Preparation& prepared,
                                     const sandbox::Launched& launched);

}  // namespace ringwall::session
