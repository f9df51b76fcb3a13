// Settings that an agent reads from /etc and obeys before those of the home and the repository:
// made from the policy, read-only inside.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <vector>

#include "policy/policy.h"
#include "sandbox/file_plan.h"

namespace ringwall::sandbox {

// What an agent has to call, for settings that hold more than that; no member: nothing.
struct ManagedHooks {
  boost::json::object claude = {};
  boost::json::object gemini = {};
};

// The files for these profiles.
std::vector<MadeFile> managed_settings(const std::vector<std::string>& profiles,
                                       const policy::Policy& policy,
                                       const ManagedHooks& hooks = {});

// The agents that obey such files only if they belong to uid 0.
std::vector<std::string> agents_that_obey_root();

}  // namespace ringwall::sandbox
