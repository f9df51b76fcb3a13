// The rules that a hook judges by: those of the run that it is in, or the policy of the folder that
// it was started in, as a run there would have it.
#pragma once

#include "base/result.h"
#include "gate/decide.h"
#include "session/advisor.h"

namespace ringwall::session {

struct HookRules {
  gate::Ruleset rules;
  gate::Place place;
  bool advised = false;  // an advisor is asked about what no rule covers
};

Result<HookRules> load_hook_rules();

// Outside of a run: whom the policy of this folder asks.
Result<AdvisorPlan> load_advisor_here();

// For what no rule is about.
Result<HookRules> no_rules();

}  // namespace ringwall::session
