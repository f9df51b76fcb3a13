// Tries one part of a sandbox on this host, in a short-lived process of its own, by the very steps
// that a run takes. So a part that fails here fails there, with the same words.
#pragma once

#include <expected>
#include <string_view>
#include <vector>

#include "sandbox/launch.h"
#include "sandbox/plan.h"

namespace ringwall::host {

struct Trial {
  sandbox::Wall wall;   // to which a failure of `act` or of the namespaces is counted
  uint64_t namespaces;  // CLONE_NEW*; 0: a plain fork
  std::vector<std::string_view> steps = {};  // of child_steps(), in order
  std::vector<sandbox::Mount> mounts = {};   // for "assemble the new root"
  Status (*act)() = nullptr;                 // after the steps
  sandbox::NetworkPlan network = {};         // for "take connections to the wall"
};

using TrialResult = std::expected<void, sandbox::LaunchFailure>;

TrialResult attempt(const Trial& trial);

// Everything at once: the launch of a whole sandbox around a command that does nothing.
TrialResult attempt_launch(const sandbox::Plan& plan);

// The identity that a run of this caller gets.
sandbox::Identity callers_identity();

// Acts for trials. Each looks at what the kernel answers, never at versions.
Status join_keyring();
Status make_overlay();       // in a user and mount namespace
Status map_ids_of_folder();  // the working folder's, as root
Status call_close_range();

}  // namespace ringwall::host
