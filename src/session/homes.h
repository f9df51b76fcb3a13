// Private homes: named folders that hold what persists between runs.
#pragma once

#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "policy/policy.h"
#include "sandbox/file_plan.h"
#include "session/places.h"

namespace ringwall::session {

struct PrivateHome {
  std::string name;
  std::vector<sandbox::HomeState> state;
  std::vector<sandbox::CacheLayer> caches;
  std::vector<Fd> locks;  // one run at a time changes a cache's upper layer
};

// Makes what is missing. `workspace` chooses the default home: one per workspace.
Result<PrivateHome> prepare_home(const policy::Policy::Home& wanted, const std::string& workspace,
                                 const Caller& caller, const Places& places);

}  // namespace ringwall::session
