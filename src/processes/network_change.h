// Changes a sandbox's own network while it goes on: further grants reach its redirect, and a run
// that was started without any gets its wall when the first one is made.
#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "sandbox/launch.h"
#include "sandbox/network.h"

namespace ringwall::processes {

// Netfilter messages for rules that stand.
Status change_redirect(const sandbox::Launched& sandbox, const std::string& messages,
                       std::span<char> start_area);

Result<sandbox::WallSockets> build_wall_later(const sandbox::Launched& sandbox,
                                              const sandbox::NetworkPlan& plan,
                                              std::span<char> start_area);

}  // namespace ringwall::processes
