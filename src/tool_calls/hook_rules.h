// The rules that a hook judges by: those of the run that it is in. Outside of a run, the policies
// of the folder that it was started in, of the project that the agent names, of the folder that the
// agent says it is in, and of each folder above them with a policy file, as a run there would have
// it: an agent can change its folder, and no folder that it goes to takes away what another denies.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "desks/advisor.h"
#include "gate/decide.h"
#include "state/places.h"

namespace ringwall::tool_calls {

struct HookRules {
  gate::Ruleset rules;
  gate::Place place;
  bool advised = false;  // an advisor is asked about what no rule covers
};

class HookPolicies {
 public:
  // What does not depend on the agent's text.
  static Result<HookPolicies> load();

  // One or several: the strictest answer holds. Reads files and nothing else, so that it can be
  // called behind a reader's walls.
  Result<std::vector<HookRules>> rules_for(const std::string& agents_folder) &&;

 private:
  Status add_with_parents(const std::string& folder);
  Status add_folder(const std::string& folder);

  bool is_inside_ = false;
  state::Caller caller_;
  state::Places places_;
  std::vector<std::string> folders_;     // that were looked at, by name
  std::vector<std::string> workspaces_;  // that they lie in, by real path
  std::vector<HookRules> rules_;
};

// Outside of a run: whom the policy of this folder asks.
Result<desks::AdvisorPlan> load_advisor_here();

// For what no rule is about.
Result<HookRules> no_rules();

}  // namespace ringwall::tool_calls
