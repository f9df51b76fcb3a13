// From a policy to a plan: looks at the host, makes the private home and the registry entry, and
// decides everything that a sandbox will be. Nothing is isolated yet when this ends.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "desks/desktop_notification.h"
#include "guard/guard_client.h"
#include "policy/policy.h"
#include "prepare/exec_plan.h"
#include "prepare/exec_stop_plan.h"
#include "prepare/gate_plan.h"
#include "prepare/grants.h"
#include "prepare/guarded_files.h"
#include "prepare/network_plan.h"
#include "review/review.h"
#include "sandbox/early_namespaces.h"
#include "sandbox/plan.h"
#include "sandbox/toolchain.h"
#include "state/homes.h"
#include "state/places.h"
#include "state/registry.h"

namespace ringwall::prepare {

struct RunRequest {
  state::Caller caller;
  state::Places places;
  policy::Policy policy;
  std::vector<std::string> policy_files;  // that were read, without the workspace's own
  std::vector<std::string> profiles;      // names of those that were taken
  std::vector<std::string> command;
  std::string network_lock;  // where an organisation has locked network.allow; empty: nowhere
  bool register_it = true;   // false: only explain
  bool verbose = false;      // tell what was asked of the network
  bool detach = false;       // leave as soon as it is started
  bool learn = false;        // note what is wanted and refused; see learn/learn.h
  std::string recording;     // a file to be made, empty: none
  // Shows the trees as this review has made them, and lets nothing be changed. No trees: none.
  review::Review shown_review = {};
};

struct Preparation {
  const RunRequest& request;
  const state::Caller& caller = request.caller;
  const state::Places& places = request.places;
  std::vector<NamedFile> certificates;  // that variables name
  GrantedFiles granted;
  sandbox::Toolchain toolchain;
  state::PrivateHome home;
  state::Registration registration;
  std::vector<broker::Swept> swept;                // of runs that were killed
  std::vector<broker::BrokerNotice> left_remotes;  // of the same
  std::optional<GuardedFiles> guarded;             // what lies in the granted trees
  review::Review review;                           // no trees: the run works on the real ones
  ExecPlan exec;                                   // programs by their content
  PlannedNetwork network;
  PlannedPrograms programs;
  desks::PlannedNotification notification;
  PlannedGate gate;  // hooks of the agent
  Error unmanaged;   // why the agent has none of the settings that must be root's; empty: it has
  guard::GuardOrder guard;  // what root's guard is asked for, if anything
  sandbox::Plan plan;
  sandbox::EarlyNamespaces early;  // being made while the rest of this is
};

struct PrepareStep {
  const char* name;
  Status (*apply)(Preparation&);
};

Status prepare(Preparation& preparation);

}  // namespace ringwall::prepare
