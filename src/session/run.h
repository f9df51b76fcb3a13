// A run from policy to exit status.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "base/result.h"
#include "events/event.h"
#include "policy/proposal.h"
#include "prepare/prepare.h"
#include "processes/onlooker.h"
#include "review/whole_review.h"
#include "sandbox/child.h"
#include "session/listeners.h"

namespace ringwall::session {

inline constexpr int kRefusedStatus = 125;

struct RunHooks {
  std::function<void(const events::Event&)> tell;  // every event of the run, in order
  Listeners* listeners = nullptr;                  // whom that reaches
  std::span<char> start_area;                      // see sandbox::LaunchInputs
  sandbox::RunBuiltin run_builtin = nullptr;
  // What a run that learns comes to, in the end; see learn/learn.h.
  std::function<void(const policy::Proposal&)> learned = nullptr;
  // What a run under review has changed, in the end.
  std::function<void(const review::Review&, const std::vector<review::ReviewedTree>&)> reviewed =
      nullptr;
  processes::Onlooker onlooker = {};
};

// Returns the exit status; 125 if Ringwall refused. Everything worth knowing was told through the
// hook.
int run(const prepare::RunRequest& request, const RunHooks& hooks);

}  // namespace ringwall::session
