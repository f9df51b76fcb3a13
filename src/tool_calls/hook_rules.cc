#include "tool_calls/hook_rules.h"

#include <sys/stat.h>

#include <algorithm>

#include "base/file.h"
#include "base/path.h"
#include "gate/gate_channel.h"
#include "gate/rules_file.h"
#include "policy/policy_file.h"
#include "prepare/grants.h"
#include "prepare/policy_layers.h"
#include "tool_calls/hook_link.h"

namespace ringwall::tool_calls {
namespace {

constexpr size_t kMostRules = 4u << 20;  // bytes

Result<gate::RulesOfRun> read_rules_of_run() {
  TRY_ASSIGN(std::string text, file::read(gate::kGateRules, kMostRules));
  return gate::read_rules(text);
}

Result<prepare::PolicyLayers> read_policy_of(const std::string& folder, const state::Caller& caller,
                                             const state::Places& places) {
  TRY_ASSIGN(prepare::PolicyLayers layers, prepare::load_layers({.caller = caller,
                                                                 .places = places,
                                                                 .working_folder = folder,
                                                                 .policy_file = {},
                                                                 .flags = {}}));
  if (!layers.diagnostics.empty()) {
    const policy::Diagnostic& first = layers.diagnostics[0];
    return fail("the policy cannot be used: " + first.place + ": " + first.what,
                "see: ringwall policy check");
  }
  return layers;
}

// How agents tell their hooks where the session was begun.
constexpr const char* kProjectVariables[] = {"CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR",
                                             "CURSOR_PROJECT_DIR"};

Result<HookRules> compile(gate::RulesOfRun read) {
  TRY_ASSIGN(gate::Ruleset rules, gate::compile_rules(read.tools));
  return HookRules{
      std::move(rules), {std::move(read.home), std::move(read.workspace)}, read.advised};
}

}  // namespace

// A repository that the agent has made below the project is no way out of it. Files of strangers,
// as everybody's folders may hold them, do not count: they would only be in the way.
Status HookPolicies::add_with_parents(const std::string& folder) {
  TRY(add_folder(folder));
  for (std::string at = path::parent(folder); at != "/"; at = path::parent(at)) {
    bool holds_home =
        path::is_beneath(caller_.home, at) || path::is_beneath(caller_.home_as_named, at);
    if (holds_home) break;
    struct stat facts;
    std::string file = path::join(at, policy::kWorkspaceFile);
    if (lstat(file.c_str(), &facts) == 0 && facts.st_uid == caller_.uid) TRY(add_folder(at));
  }
  return {};
}

Status HookPolicies::add_folder(const std::string& folder) {
  if (std::ranges::find(folders_, folder) != folders_.end()) return {};
  folders_.push_back(folder);
  TRY_ASSIGN(prepare::PolicyLayers layers, read_policy_of(folder, caller_, places_));
  if (std::ranges::find(workspaces_, layers.workspace) != workspaces_.end()) return {};
  workspaces_.push_back(layers.workspace);
  policy::Tools& tools = layers.policy->tools;
  bool advised = !tools.advisor.url.value.empty();
  TRY_ASSIGN(HookRules rules, compile({std::move(tools), caller_.home, layers.workspace, advised}));
  rules_.push_back(std::move(rules));
  return {};
}

Result<HookPolicies> HookPolicies::load() {
  HookPolicies made;
  made.is_inside_ = is_inside();
  if (made.is_inside_) {
    TRY_ASSIGN(gate::RulesOfRun read, read_rules_of_run());
    TRY_ASSIGN(HookRules rules, compile(std::move(read)));
    made.rules_.push_back(std::move(rules));
    return made;
  }
  TRY_ASSIGN(std::string folder, prepare::read_working_folder());
  TRY_ASSIGN(made.caller_, state::read_caller());
  made.places_ = state::find_places(made.caller_, getenv("XDG_RUNTIME_DIR"));
  TRY(made.add_with_parents(folder));
  for (const char* variable : kProjectVariables) {
    const char* project = getenv(variable);
    if (project != nullptr && project[0] == '/')
      TRY(made.add_with_parents(path::normalize(project)));
  }
  return made;
}

Result<std::vector<HookRules>> HookPolicies::rules_for(const std::string& agents_folder) && {
  if (!is_inside_ && agents_folder.starts_with('/'))
    TRY(add_with_parents(path::normalize(agents_folder)));
  return std::move(rules_);
}

Result<desks::AdvisorPlan> load_advisor_here() {
  TRY_ASSIGN(std::string folder, prepare::read_working_folder());
  TRY_ASSIGN(state::Caller caller, state::read_caller());
  state::Places places = state::find_places(caller, getenv("XDG_RUNTIME_DIR"));
  TRY_ASSIGN(prepare::PolicyLayers layers, read_policy_of(folder, caller, places));
  return desks::plan_advisor(layers.policy->tools.advisor, caller.home, places.state);
}

Result<HookRules> no_rules() { return compile({}); }

}  // namespace ringwall::tool_calls
