// Settings that an agent reads from /etc and obeys before those of the home and the repository:
// made from the policy, read-only inside.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <vector>

#include "policy/policy.h"
#include "sandbox/file_plan.h"

namespace ringwall::sandbox {

// The files for these profiles. Gemini CLI and Copilot take only files that belong to uid 0, which
// does not exist inside: for them there is none. `claude_hooks` is what Claude Code has to call, no
// member: nothing.
std::vector<MadeFile> managed_settings(const std::vector<std::string>& profiles,
                                       const policy::Policy& policy,
                                       const boost::json::object& claude_hooks = {});

// The agents whose settings cannot be managed so.
std::vector<std::string> unmanaged_agents();

}  // namespace ringwall::sandbox
