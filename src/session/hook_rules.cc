#include "session/hook_rules.h"

#include "base/file.h"
#include "gate/gate_channel.h"
#include "gate/rules_file.h"
#include "session/grants.h"
#include "session/hook_link.h"
#include "session/policy_layers.h"

namespace ringwall::session {
namespace {

constexpr size_t kMostRules = 4u << 20;  // bytes

Result<gate::RulesOfRun> read_rules_of_run() {
  TRY_ASSIGN(std::string text, file::read(gate::kGateRules, kMostRules));
  return gate::read_rules(text);
}

struct Here {
  Caller caller;
  Places places;
  PolicyLayers layers;
};

Result<Here> read_policy_here() {
  TRY_ASSIGN(std::string folder, read_working_folder());
  TRY_ASSIGN(Caller caller, read_caller());
  Places places = find_places(caller, getenv("XDG_RUNTIME_DIR"));
  TRY_ASSIGN(PolicyLayers layers, load_layers({.caller = caller,
                                               .places = places,
                                               .working_folder = folder,
                                               .policy_file = {},
                                               .flags = {}}));
  if (!layers.diagnostics.empty()) {
    const policy::Diagnostic& first = layers.diagnostics[0];
    return fail("the policy cannot be used: " + first.place + ": " + first.what,
                "see: ringwall policy check");
  }
  return Here{std::move(caller), std::move(places), std::move(layers)};
}

Result<gate::RulesOfRun> read_rules_here() {
  TRY_ASSIGN(Here here, read_policy_here());
  policy::Tools& tools = here.layers.policy->tools;
  bool advised = !tools.advisor.url.value.empty();
  return gate::RulesOfRun{std::move(tools), here.caller.home, here.layers.workspace, advised};
}

Result<HookRules> compile(gate::RulesOfRun read) {
  TRY_ASSIGN(gate::Ruleset rules, gate::compile_rules(read.tools));
  return HookRules{
      std::move(rules), {std::move(read.home), std::move(read.workspace)}, read.advised};
}

}  // namespace

Result<HookRules> load_hook_rules() {
  TRY_ASSIGN(gate::RulesOfRun read, is_inside() ? read_rules_of_run() : read_rules_here());
  return compile(std::move(read));
}

Result<AdvisorPlan> load_advisor_here() {
  TRY_ASSIGN(Here here, read_policy_here());
  return plan_advisor(here.layers.policy->tools.advisor, here.caller.home, here.places.state);
}

Result<HookRules> no_rules() { return compile({}); }

}  // namespace ringwall::session
