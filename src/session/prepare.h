// From a policy to a plan: looks at the host, makes the private home and the registry entry, and
// decides everything that a sandbox will be. Nothing is isolated yet when this ends.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "policy/policy.h"
#include "sandbox/plan.h"
#include "sandbox/toolchain.h"
#include "session/grants.h"
#include "session/guarded_files.h"
#include "session/homes.h"
#include "session/places.h"
#include "session/registry.h"

namespace ringwall::session {

struct RunRequest {
  Caller caller;
  policy::Policy policy;
  std::string policy_file;  // empty: none was given
  std::vector<std::string> command;
  bool register_it = true;  // false: only explain
  bool detach = false;      // leave as soon as it is started
  std::string recording;    // a file to be made, empty: none
};

struct Preparation {
  const RunRequest& request;
  const Caller& caller = request.caller;
  Places places;
  GrantedFiles granted;
  sandbox::Toolchain toolchain;
  PrivateHome home;
  Registration registration;
  std::optional<GuardedFiles> guarded;  // what lies in the granted trees
  sandbox::Plan plan;
};

struct PrepareStep {
  const char* name;
  Status (*apply)(Preparation&);
};

Status prepare(Preparation& preparation);

}  // namespace ringwall::session
