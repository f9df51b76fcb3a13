#include "session/run_processes.h"

#include <algorithm>

#include "base/path.h"
#include "prepare/guard_plan.h"
#include "sandbox/wall.h"
#include "state/places.h"

namespace ringwall::session {

sandbox::LaunchResult launch(const RunHooks& hooks, prepare::Preparation& prepared,
                             const processes::Stdio& stdio, limits::Cgroup& cgroup,
                             ExecStopLink& exec_stop) {
  StandingTasks standing;
  std::function<Status(pid_t)> hold;
  if (prepared.plan.exec.has_stop) {
    hold = [&](pid_t init) -> Status {
      TRY_ASSIGN(exec_stop, ExecStopLink::start(init, prepared.plan, prepared.programs.rules,
                                                standing, hooks.start_area));
      return {};
    };
    auto shared = StandingTasks::make();
    if (!shared)
      return std::unexpected(
          sandbox::LaunchFailure{sandbox::Wall::exec_stop, "share its memory", shared.error()});
    standing = *shared;
  }
  return sandbox::launch({prepared.plan,
                          {stdio.fds[0], stdio.fds[1], stdio.fds[2]},
                          stdio.terminal,
                          hooks.start_area,
                          hooks.run_builtin,
                          &cgroup,
                          &prepared.early,
                          standing,
                          hold});
}

processes::WatchInputs plan_watch(const prepare::Preparation& prepared,
                                  const sandbox::Launched& launched, const limits::Cgroup& cgroup) {
  processes::WatchInputs watch{.run = prepared.plan.run_name,
                               .limits = prepared.plan.limits,
                               .init = launched.pid,
                               .cgroup = cgroup.is_there() ? &cgroup : nullptr,
                               .home = {},
                               .workspace = {},
                               .in_memory = {"/tmp", "/dev/shm", prepared.caller.home}};
  for (const sandbox::HomeState& state : prepared.home.state)
    watch.home.push_back(state.source);
  for (const sandbox::CacheLayer& cache : prepared.home.caches)
    watch.home.push_back(cache.upper);
  for (const sandbox::Grant& grant : prepared.granted.grants) {
    if (grant.access != sandbox::Access::write) continue;
    watch.workspace.push_back(grant.layer.empty() ? grant.path : path::join(grant.layer, "upper"));
  }
  // What is planted grows there: it was taken from the workspace.
  if (!watch.workspace.empty())
    watch.workspace.push_back(state::quarantine_folder(prepared.places));
  return watch;
}

Result<BrokerLink> start_broker(const prepare::Preparation& prepared, std::span<char> start_area,
                                const Result<BrokerGround>& ground, int hand) {
  if (!ground) return std::unexpected(ground.error());
  const limits::Limits& limits = prepared.plan.limits;
  files::LinkRules links = prepare::link_rules(prepared.places, prepared.caller);
  for (const sandbox::Grant& grant : prepared.granted.grants)
    links.granted.push_back(grant.path);
  BrokerRequest request{.guarded = *prepared.guarded,
                        .quarantine = state::quarantine_folder(prepared.places),
                        .unswept = state::unswept_folder(prepared.places),
                        .run_name = prepared.plan.run_name,
                        .links = std::move(links),
                        .start_area = start_area,
                        .journals = state::journals_folder(prepared.places),
                        .remotes = state::remotes_folder(prepared.places),
                        .deletions = {limits.deleted_files, limits.deleted_share},
                        .hand = hand};
  bool watches = std::any_of(prepared.guarded->trees.begin(), prepared.guarded->trees.end(),
                             [](const prepare::GuardedTree& tree) { return tree.writable; });
  if (!watches || sandbox::is_taken_away(sandbox::Wall::plant_watch)) return BrokerLink();
  return BrokerLink::start(request, *ground);
}

Result<channel::Pair> connect_hand_and_broker(const sandbox::Plan& plan) {
  if (!plan.has_hand || plan.git_configs.empty()) return channel::Pair();
  return channel::make_pair();
}

Result<HandLink> start_hand(const prepare::Preparation& prepared, sandbox::Launched& launched,
                            Fd broker, std::span<char> start_area, std::span<char> wanted) {
  if (!prepared.plan.has_hand) return HandLink();
  return HandLink::start(launched, prepared.plan, std::move(broker), start_area, wanted);
}

Result<guard::GuardLink> start_guard(const prepare::Preparation& prepared,
                                     const sandbox::Launched& launched) {
  if (prepared.guard.least == guard::Kind::none) return guard::GuardLink();
  auto link = guard::GuardLink::enforce(prepared.guard, launched.pidfd.get());
  if (!link)
    return std::unexpected(
        prepare::describe_missing_guard(prepared.request.policy.exec, link.error()));
  return link;
}

}  // namespace ringwall::session
