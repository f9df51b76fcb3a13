// From a policy's network part to what the child builds and the supervisor decides by.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "desks/git_push.h"
#include "desks/network_desk.h"
#include "policy/policy.h"
#include "policy/ports.h"
#include "sandbox/network.h"

namespace ringwall::prepare {

struct PlannedNetwork {
  sandbox::NetworkPlan plan;      // of the child
  desks::NetworkRequest request;  // of the desk
  std::vector<policy::PublishedPort> published;
  bool login_callback = false;
  desks::PlannedPush push;

  bool needs_desk() const { return plan.has_wall || publishes(); }
  bool publishes() const { return login_callback || !published.empty(); }
};

// In a run that learns, every name and every port of a granted name that is asked for arrives at
// the desk, where it is refused.
Result<PlannedNetwork> plan_network(const policy::Policy::Network& network, bool learns = false);

// The redirect for these rules; for who asks, of everything.
void plan_wall(const desks::NetworkRequest& request, bool learns, sandbox::NetworkPlan& plan);

// A name that is granted at a port where clients have to show it (443 or 80); empty: none is.
std::string find_judged_name(const net::EgressRules& rules);

}  // namespace ringwall::prepare
