#include "prepare/gate_plan.h"

#include <algorithm>

#include "gate/gate_channel.h"
#include "gate/hook_settings.h"
#include "gate/rules_file.h"
#include "sandbox/wall.h"

namespace ringwall::prepare {
namespace {

bool has(const std::vector<std::string>& profiles, std::string_view name) {
  return std::ranges::find(profiles, name) != profiles.end();
}

}  // namespace

bool wants_gate(const std::vector<std::string>& profiles) {
  return std::ranges::any_of(
      gate::dialects(), [&](const gate::Dialect& dialect) { return has(profiles, dialect.name); });
}

Result<PlannedGate> plan_gate(const std::vector<std::string>& profiles,
                              const policy::Policy& policy, const std::string& home,
                              const std::string& workspace, const std::string& state) {
  PlannedGate planned;
  planned.on = wants_gate(profiles) || !policy.tools.mcp_servers.empty();
  if (!planned.on) return planned;
  planned.servers = policy.tools.mcp_servers;
  planned.workspace = workspace;
  TRY_ASSIGN(planned.advisor, desks::plan_advisor(policy.tools.advisor, home, state));
  auto add = [&](const char* target, std::string content, const char* reason) {
    planned.files.push_back(
        {.target = target, .content = std::move(content), .mode = 0444, .reason = reason});
  };
  add(gate::kGateRules, gate::write_rules({policy.tools, home, workspace, planned.advisor.is_on()}),
      "rules for the agent's hooks");
  planned.patience = static_cast<int64_t>(policy.network.ask_time.or_host(0)) * 1'000'000;
  planned.hooks = {gate::claude_hooks(gate::kGateProgram), gate::gemini_hooks(gate::kGateProgram)};
  if (has(profiles, "codex"))
    add(gate::kCodexRequirements, gate::codex_requirements(gate::kGateProgram),
        "hooks that codex obeys first");
  if (has(profiles, "cursor"))
    add(gate::kCursorHooks, gate::hook_settings(gate::Agent::cursor, gate::kGateProgram),
        "hooks that cursor obeys first");
  if (has(profiles, "copilot")) {
    add(gate::kCopilotPolicy, gate::hook_settings(gate::Agent::copilot, gate::kGateProgram),
        "hooks that copilot obeys first");
    planned.files.back().roots_own = true;
  }
  return planned;
}

Result<std::unique_ptr<desks::GateDesk>> open_gate(const PlannedGate& planned,
                                                   sandbox::HandedOut& handed_out, std::string run,
                                                   desks::EventWays ways) {
  if (!planned.on) return nullptr;
  // The first by its name; those of logins follow.
  auto& served = handed_out.served;
  Fd listener = std::move(served[0]);
  std::ranges::rotate(served, served.begin() + 1);
  // Without a root of its own there is no place for it.
  if (sandbox::is_taken_away(sandbox::Wall::new_root)) return nullptr;
  TRY_ASSIGN(auto desk, desks::GateDesk::open(std::move(listener), std::move(run), planned.patience,
                                              std::move(ways), planned.advisor));
  desk->offer(desks::McpServers(planned.servers, planned.workspace));
  return desk;
}

}  // namespace ringwall::prepare
