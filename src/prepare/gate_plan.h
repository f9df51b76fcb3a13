// What a run has of the gate: the rules for its agent's hooks, and settings that make the agent
// call them. Only where an agent's profile was taken; no wall rests on it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "desks/gate_desk.h"
#include "policy/policy.h"
#include "sandbox/child.h"
#include "sandbox/file_plan.h"
#include "sandbox/managed_settings.h"

namespace ringwall::prepare {

struct PlannedGate {
  bool on = false;
  std::vector<sandbox::MadeFile> files = {};
  sandbox::ManagedHooks hooks = {};        // for managed settings
  std::vector<policy::Text> servers = {};  // MCP servers that the inside may ask for
  std::string workspace = {};
  int64_t patience = 0;  // nanoseconds that a call waits for the person
  desks::AdvisorPlan advisor = {};
};

// True if one of them is an agent's that has hooks.
bool wants_gate(const std::vector<std::string>& profiles);

// `state` is Ringwall's own folder.
Result<PlannedGate> plan_gate(const std::vector<std::string>& profiles,
                              const policy::Policy& policy, const std::string& home,
                              const std::string& workspace, const std::string& state);

// The sandbox stands, and its hooks are heard. Null: there are none.
Result<std::unique_ptr<desks::GateDesk>> open_gate(const PlannedGate& planned,
                                                   sandbox::HandedOut& handed_out, std::string run,
                                                   desks::EventWays ways);

}  // namespace ringwall::prepare
