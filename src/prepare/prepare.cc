#include "prepare/prepare.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "git/preferences.h"
#include "prepare/copied_programs.h"
#include "prepare/git_inside.h"
#include "prepare/guard_plan.h"
#include "prepare/installed_settings.h"
#include "prepare/kept_trees.h"
#include "prepare/killed_runs.h"
#include "prepare/managed_files.h"
#include "prepare/profile_choice.h"
#include "prepare/review_plan.h"
#include "prepare/terminal_entry.h"
#include "prepare/variables.h"
#include "sandbox/environment.h"
#include "sandbox/file_plan.h"
#include "sandbox/host_facts.h"
#include "sandbox/id_map.h"
#include "sandbox/system_files.h"
#include "sandbox/wall.h"
#include "state/tree_work.h"

namespace ringwall::prepare {
namespace {

Status judge_variables(Preparation& run) {
  TRY_ASSIGN(run.certificates, find_certificates(run.request.policy.environment));
  return {};
}

Status resolve_files(Preparation& run) {
  TRY_ASSIGN(std::string folder, read_working_folder());
  TRY_ASSIGN(run.granted,
             resolve_grants(run.request.policy, folder, run.caller, run.places, run.certificates));
  return {};
}

std::vector<std::string> paths_with(const GrantedFiles& granted, sandbox::Access access) {
  std::vector<std::string> paths;
  for (const sandbox::Grant& grant : granted.grants) {
    if (grant.access == access) paths.push_back(grant.path);
  }
  return paths;
}

bool is_writable_inside(const GrantedFiles& granted, const std::string& path) {
  std::vector<std::string> trees = paths_with(granted, sandbox::Access::write);
  return std::any_of(trees.begin(), trees.end(),
                     [&](const std::string& tree) { return path::is_beneath(path, tree); });
}

// Only a file that the agent cannot write may decide what it gets.
Status guard_policy_files(Preparation& run) {
  for (const std::string& file : run.request.policy_files) {
    sandbox::Way way = sandbox::follow_links(file);
    // A link that the agent can change leads to another policy the next time.
    std::vector<std::string> met = {way.end};
    for (const sandbox::LinkOnTheWay& link : way.links)
      met.push_back(link.path);
    auto bad = std::find_if(met.begin(), met.end(), [&](const std::string& path) {
      return is_writable_inside(run.granted, path);
    });
    if (bad == met.end()) continue;
    return fail("the policy " + text::quote(*bad) + " lies in a folder that the agent may change",
                "move it, for example to ~/.config/ringwall/");
  }
  return {};
}

Status find_tools(Preparation& run) {
  TRY_ASSIGN(std::string folder, read_working_folder());
  run.toolchain =
      sandbox::collect_toolchain({.program = run.request.command[0],
                                  .search_path = callers_search_path(),
                                  .home = run.caller.home,
                                  .working_folder = folder,
                                  .writable = paths_with(run.granted, sandbox::Access::write),
                                  .readable = paths_with(run.granted, sandbox::Access::read),
                                  .was_writable = [&](const std::string& tool) {
                                    return state::was_in_reach(tool, run.places);
                                  }});
  for (const sandbox::Grant& grant : run.toolchain.grants) {
    // An installation may hold no more than itself.
    if (path::is_beneath(run.caller.home, grant.path) ||
        path::is_beneath(run.places.state, grant.path)) {
      return fail(
          "the program's installation " + text::quote(grant.path) + " holds more than programs",
          "install it in a folder of its own");
    }
  }
  return {};
}

Status make_home(Preparation& run) {
  const policy::Policy& policy = run.request.policy;
  bool found_by_itself = policy.files.workspace.value.empty();
  bool home_elsewhere = policy.home.fresh.on || !policy.home.name.value.empty();
  if (run.request.register_it && found_by_itself && home_elsewhere)
    TRY(state::note_workspace(run.granted.workspace, run.places));
  TRY_ASSIGN(run.home, state::prepare_home(run.request.policy.home, run.granted.workspace,
                                           run.toolchain.search_path, run.caller, run.places,
                                           !run.request.register_it));
  if (!run.request.register_it) return {};
  return state::note_in_reach(paths_with(run.granted, sandbox::Access::write), run.places);
}

Status enter_registry(Preparation& run) {
  const std::string& wanted = run.request.policy.run.name.value;
  if (!run.request.register_it) {
    run.plan.run_name = wanted.empty() ? "(made at the start)" : wanted;
    return {};
  }
  // What a review is called by must not mean two things.
  std::string reviews = state::reviews_folder(run.places);
  auto is_elsewhere = [&](const std::string& name) {
    return !state::is_run_going_on(run.places.runs, name) &&
           state::is_run_going_on(run.places, name);
  };
  if (!wanted.empty() && is_elsewhere(wanted)) return std::unexpected(state::name_is_taken(wanted));
  TRY(state::note_registry(run.places));
  TRY_ASSIGN(run.registration, state::register_run(run.places.runs, wanted, run.granted.workspace,
                                                   [&](const std::string& name) {
                                                     return review::has_review(reviews, name) ||
                                                            is_elsewhere(name);
                                                   }));
  run.plan.run_name = run.registration.name();
  return {};
}

Status say_what_it_changes(Preparation& run) {
  if (!run.request.register_it) return {};
  // Under review, the real files stay as they are.
  bool is_direct = !run.request.policy.files.review.on && run.request.shown_review.trees.empty();
  state::Trees trees;
  if (is_direct) trees = paths_with(run.granted, sandbox::Access::write);
  TRY(state::note_writes(run.registration.folder(), trees));
  return state::wait_for_placing(run.places, trees);
}

// Only what was granted by name: installations are large and without sockets, private homes ours.
Status search_trees(Preparation& run) {
  TRY_ASSIGN(run.guarded,
             guard_files(run.request.policy, run.granted.grants, run.places, run.caller.home));
  return {};
}

void add_trees(std::vector<ShownTree>& trees, const std::vector<sandbox::Grant>& grants) {
  for (const sandbox::Grant& grant : grants)
    trees.push_back({grant.path, grant.path, grant.access == sandbox::Access::write, false, true});
}

// What is denied is taken away before anything is mounted: it has no name and no bytes inside.
Status search_programs(Preparation& run) {
  const policy::Policy::Exec& policy = run.request.policy.exec;
  TRY(refuse_idle_flags(policy));
  if (policy.mode.value == "any" && policy.deny.empty()) return {};
  ExecRequest request{.policy = policy,
                      .home = run.caller.home,
                      .state = run.places.state,
                      .trees = system_trees(),
                      .search_path = {}};
  add_trees(request.trees, run.granted.grants);
  add_trees(request.trees, run.toolchain.grants);
  for (const sandbox::HomeState& state : run.home.state) {
    if (file::exists(state.source))
      request.trees.push_back({state.source, state.target, true, false, false});
  }
  // A cache shows what the real one holds and what earlier runs wrote.
  for (const sandbox::CacheLayer& cache : run.home.caches) {
    for (const std::string& layer : {cache.lower, path::join(cache.upper, "upper")}) {
      if (file::exists(layer))
        request.trees.push_back({layer, cache.target, true, false, false, true});
    }
  }
  for (const std::string& paths : {callers_search_path(), run.toolchain.search_path}) {
    for (std::string& folder : text::split(paths, ':')) {
      if (folder.starts_with('/')) request.search_path.push_back(std::move(folder));
    }
  }
  TRY_ASSIGN(run.exec, plan_exec(std::move(request)));
  find_denied_copies(run.exec, run.home.copies);
  // Who only asks is told of everything, also of that.
  return run.request.register_it ? check_program(run.exec, run.toolchain.program) : Status();
}

std::optional<std::string> own_binary() {
  auto path = file::read_link("/proc/self/exe");
  return path ? std::optional(*path) : std::nullopt;
}

bool can_have_hand() {
  return !sandbox::is_taken_away(sandbox::Wall::user_namespace) &&
         !sandbox::is_taken_away(sandbox::Wall::mount_namespace) &&
         !sandbox::is_taken_away(sandbox::Wall::new_root);
}

Status plan_the_files(Preparation& run) {
  sandbox::HostFacts host = sandbox::read_host_facts(sandbox::system_questions());
  leave_out_installed(host);
  TRY_ASSIGN(run.plan.limits, limits::plan_limits(run.request.policy.limits,
                                                  limits::read_limit_facts(host.memory_bytes)));
  // Nothing real is deleted then.
  if (run.request.policy.files.review.on)
    run.plan.limits.deleted_files = run.plan.limits.deleted_share = policy::kNoLimit;
  run.plan.identity =
      sandbox::plan_identity(run.caller.uid, run.caller.gid, run.caller.user, run.caller.group);
  sandbox::FileGrants files{
      .grants = run.granted.grants,
      .links = run.granted.links,
      .home = run.caller.home,
      .shell = run.caller.shell,
      .state = run.home.state,
      .own = run.home.own,
      .caches = run.home.caches,
      .made = run.home.copies,
      .sockets = run.guarded->sockets,
      .in_review = mounts_in_review(run),
      .own_binary = own_binary(),
      .served = run.network.push.sockets(),
      .has_resolver = run.plan.network.has_wall || run.plan.network.may_change,
      .in_memory = run.plan.limits.tmp,
      .only_known = run.plan.exec.only_known,
      .keeps_code = run.plan.exec.keeps_code,
      .exec_trees = run.programs.trees};
  files.grants.insert(files.grants.end(), run.toolchain.grants.begin(), run.toolchain.grants.end());
  take_programs_away(run.exec, *run.guarded, files);
  files.protections = run.guarded->protections;
  files.links.insert(files.links.end(), run.toolchain.links.begin(), run.toolchain.links.end());
  sandbox::Way home = sandbox::follow_links(run.caller.home_as_named);
  files.links.insert(files.links.end(), home.links.begin(), home.links.end());
  plan_managed_files(run, host, files);
  add_terminal_entry(read_terminal_variables(run.caller.home), files.made);
  if (!run.network.push.known_hosts.empty())
    files.made.push_back({.target = path::join(run.caller.home, ".ssh/known_hosts"),
                          .content = run.network.push.known_hosts,
                          .mode = 0444,
                          .reason = "hosts that may be logged in to"});
  files.ignored_by_git = ignored_by_git(*run.guarded, run.granted.workspace);
  files.git_settings = git::render_git_settings(git_preferences(run.caller.home));
  run.plan.mounts = sandbox::plan_files(files, host, run.plan.identity);
  run.plan.landlock_abi = host.landlock_abi;
  run.plan.learns = run.request.learn && can_have_hand();
  // The host may take the mounts over what is guarded away.
  run.plan.has_hand = can_have_hand() && (run.plan.learns || !run.guarded->protections.empty());
  run.plan.masks_later = can_have_hand() &&
                         !sandbox::is_taken_away(sandbox::Wall::network_namespace) &&
                         !sandbox::is_taken_away(sandbox::Wall::socket_masks) &&
                         !sandbox::is_taken_away(sandbox::Wall::later_sockets) &&
                         std::ranges::any_of(run.guarded->trees, &GuardedTree::writable);
  run.plan.git_configs = run.guarded->git_configs;
  run.plan.workspace = run.granted.workspace;
  run.plan.working_folder = run.granted.working_folder;
  return {};
}

// A password that the agent can read, or lead us to another file for, is none.
Status guard_login(Preparation& run) {
  const policy::Text& login = run.request.policy.network.upstream_login;
  if (login.value.empty()) return {};
  sandbox::Way way = sandbox::follow_links(login.value);
  std::vector<std::string> met = {way.end};
  for (const sandbox::LinkOnTheWay& link : way.links)
    met.push_back(link.path);
  for (const std::string& path : met) {
    bool shown = std::ranges::any_of(run.granted.grants, [&](const sandbox::Grant& grant) {
      return path::is_beneath(path, grant.path);
    });
    if (shown)
      return fail("the login " + text::quote(login.value) + " for the upstream proxy (" +
                      login.origin.text() + ") lies in a folder that the agent may read",
                  "move it, for example to ~/.config/ringwall/");
  }
  return {};
}

Status plan_the_network(Preparation& run) {
  TRY(guard_login(run));
  TRY_ASSIGN(run.network, plan_network(run.request.policy.network, run.request.learn));
  run.plan.network = run.network.plan;
  auto is_in_reach = [&](const std::string& path) {
    return is_writable_inside(run.granted, path) || state::was_in_reach(path, run.places) ||
           path::is_beneath(path, run.places.state);
  };
  TRY_ASSIGN(run.network.push,
             desks::plan_git_push(run.request.policy.git, run.network.request.rules,
                                  run.caller.home, is_in_reach));
  if (run.network.request.asks || wants_gate(run.request.profiles))
    run.notification = desks::plan_notification(is_in_reach);
  return {};
}

Status plan_the_gate(Preparation& run) {
  TRY_ASSIGN(run.gate, plan_gate(run.request.profiles, run.request.policy, run.caller.home,
                                 run.granted.workspace, run.places.state));
  return {};
}

Status plan_which_programs(Preparation& run) {
  TRY_ASSIGN(run.programs,
             plan_programs({run.request.policy.exec, run.exec.rules(), run.granted,
                            run.toolchain.grants, run.caller.home, run.request.command[0]}));
  run.plan.exec = run.programs.exec;
  return {};
}

Status plan_the_environment(Preparation& run) {
  sandbox::EnvironmentRequest request;
  for (char** entry = environ; *entry != nullptr; entry++)
    request.caller.emplace_back(*entry);
  request.pass = run.request.policy.environment.pass;
  request.set = run.request.policy.environment.set;
  request.home = run.caller.home_as_named;
  request.user = run.plan.identity.user;
  request.shell = run.caller.shell;
  request.search_path = run.toolchain.search_path;
  request.working_folder = run.granted.working_folder;
  request.run_name = run.plan.run_name;
  run.plan.environment = sandbox::plan_environment(request);
  if (run.network.push.has_agent)
    run.plan.environment.push_back(
        {"SSH_AUTH_SOCK", desks::kAgentSocket, "an agent that logs in to granted hosts"});
  sandbox::GitRequest git{.workspace = run.granted.workspace,
                          .ignore_file = ignored_by_git(*run.guarded, run.granted.workspace).empty()
                                             ? ""
                                             : sandbox::kGitIgnoreFile,
                          .has_network = run.plan.network.has_wall,
                          .credential_socket = run.network.push.on ? desks::kCredentialSocket : "",
                          .hooks = run.request.policy.git.hooks.on,
                          .is_review = run.request.policy.files.review.on};
  for (sandbox::EnvironmentEntry& entry : sandbox::plan_git_settings(git)) {
    run.plan.environment.push_back(std::move(entry));
  }
  return {};
}

Status plan_the_command(Preparation& run) {
  run.plan.arguments = run.request.command;
  // What was found outside is what runs inside: a relative path means the caller's current folder,
  // and a name must not mean another program because a folder of PATH is missing.
  run.plan.program = run.toolchain.program;
  return {};
}

Status plan_the_guard(Preparation& run) {
  run.guard = plan_guard(run.request.policy.exec, run.exec.rules());
  // Its record has to be begun as well, and what it could change to be kept.
  run.plan.awaits_start = true;
  return {};
}

constexpr PrepareStep kSteps[] = {
    {"judge the variables", judge_variables},
    // After the variables: some name files that come with them.
    {"resolve the granted files", resolve_files},
    {"guard the policy files", guard_policy_files},
    {"find the program and its tools", find_tools},
    // After the grants: the default home is the workspace's.
    {"make the private home", make_home},
    // Before it has a name, which may be that of a run that was killed.
    {"mend configs", mend_configs},
    {"look at what killed runs left", sweep_leftovers},
    {"register the run", enter_registry},
    // Before anything is read that an apply or undo may be about to replace.
    {"say what it may change", say_what_it_changes},
    // After it has a name, by which its review is found.
    {"choose what is under review", choose_reviewed},
    // Over every tree that will be shown.
    {"search for what must be guarded", search_trees},
    {"make the review", make_the_review},
    // After the program was found, which must not be among them.
    {"look for denied programs", search_programs},
    {"plan the network", plan_the_network},
    // Before the files: in allow mode, what can be written cannot be executed.
    {"plan which programs may run", plan_which_programs},
    {"plan the gate", plan_the_gate},
    // After the network: the files inside say where names are asked for.
    {"plan the files", plan_the_files},
    {"plan the environment", plan_the_environment},
    {"plan the command", plan_the_command},
    {"plan the guard", plan_the_guard},
};

}  // namespace

Status prepare(Preparation& preparation) {
  for (const PrepareStep& step : kSteps)
    TRY(step.apply(preparation));
  return {};
}

}  // namespace ringwall::prepare
