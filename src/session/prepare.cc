#include "session/prepare.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "files/git_config_update.h"
#include "files/git_preferences.h"
#include "sandbox/environment.h"
#include "sandbox/file_plan.h"
#include "sandbox/host_facts.h"
#include "sandbox/id_map.h"
#include "sandbox/system_files.h"
#include "sandbox/wall.h"

namespace ringwall::session {
namespace {

Status know_places(Preparation& run) {
  run.places = find_places(run.caller, getenv("XDG_RUNTIME_DIR"));
  return {};
}

Status resolve_files(Preparation& run) {
  TRY_ASSIGN(std::string folder, read_working_folder());
  TRY_ASSIGN(run.granted, resolve_grants(run.request.policy, folder, run.caller, run.places));
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
Status guard_policy_file(Preparation& run) {
  if (run.request.policy_file.empty()) return {};
  sandbox::Way way = sandbox::follow_links(run.request.policy_file);
  // A link that the agent can change leads to another policy the next time.
  std::vector<std::string> met = {way.end};
  for (const sandbox::LinkOnTheWay& link : way.links)
    met.push_back(link.path);
  auto bad = std::find_if(met.begin(), met.end(), [&](const std::string& path) {
    return is_writable_inside(run.granted, path);
  });
  if (bad == met.end()) return {};
  return fail("the policy " + text::quote(*bad) + " lies in a folder that the agent may change",
              "move it, for example to ~/.config/ringwall/");
}

Status check_variables(Preparation& run) {
  for (const policy::Text& entry : run.request.policy.environment.pass) {
    if (!sandbox::is_dangerous_variable(entry.value)) continue;
    return fail(entry.origin + ": the variable " + entry.value +
                    " is never passed on: it changes what programs load or whom they trust",
                "set it on purpose: --set " + entry.value + "=VALUE");
  }
  return {};
}

constexpr const char* kUsualPath = "/usr/local/bin:/usr/bin:/bin";  // where none is set

// Of any run before this one.
bool lies_in_a_workspace(const std::string& path, const Places& places) {
  for (std::string at = path::parent(path); at != "/"; at = path::parent(at)) {
    if (was_workspace(at, places)) return true;
  }
  return false;
}

Status find_tools(Preparation& run) {
  const char* path = getenv("PATH");
  TRY_ASSIGN(std::string folder, read_working_folder());
  run.toolchain =
      sandbox::collect_toolchain({.program = run.request.command[0],
                                  .search_path = path == nullptr ? kUsualPath : path,
                                  .home = run.caller.home,
                                  .working_folder = folder,
                                  .writable = paths_with(run.granted, sandbox::Access::write),
                                  .readable = paths_with(run.granted, sandbox::Access::read),
                                  .was_writable = [&](const std::string& tool) {
                                    return lies_in_a_workspace(tool, run.places);
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
    TRY(note_workspace(run.granted.workspace, run.places));
  TRY_ASSIGN(run.home,
             prepare_home(run.request.policy.home, run.granted.workspace, run.toolchain.search_path,
                          run.caller, run.places, !run.request.register_it));
  return {};
}

Status enter_registry(Preparation& run) {
  const std::string& wanted = run.request.policy.run.name.value;
  if (!run.request.register_it) {
    run.plan.run_name = wanted.empty() ? "(made at the start)" : wanted;
    return {};
  }
  TRY_ASSIGN(run.registration, register_run(run.places.runs, wanted, run.granted.workspace));
  run.plan.run_name = run.registration.name();
  return {};
}

// What a run that was killed, or a crash, has left half done.
Status mend_configs(Preparation& run) {
  if (!run.request.register_it) return {};
  auto journals = file::open(journals_folder(run.places), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!journals) return {};  // there never was one
  return files::mend_from_journals(journals->get(), [&](std::string_view name) {
    return open_run(run.places.runs, std::string(name)).has_value();
  });
}

// Only what was granted by name is searched: installations of programs can hold a hundred thousand
// files and no daemon's socket, and the state of a private home is written by sandboxes alone.
Status search_trees(Preparation& run) {
  TRY_ASSIGN(run.guarded, guard_files(run.request.policy, run.granted.grants, run.places));
  return {};
}

std::optional<std::string> own_binary() {
  auto path = file::read_link("/proc/self/exe");
  return path ? std::optional(*path) : std::nullopt;
}

// The host may take the mounts over these away.
bool needs_hand(const GuardedFiles& guarded) {
  bool has_namespaces = !sandbox::is_taken_away(sandbox::Wall::user_namespace) &&
                        !sandbox::is_taken_away(sandbox::Wall::mount_namespace) &&
                        !sandbox::is_taken_away(sandbox::Wall::new_root);
  return has_namespaces && !guarded.protections.empty();
}

// `git add -A` would stumble over a file that it cannot read.
std::string ignored_by_git(const Preparation& run) {
  std::string lines;
  for (const std::string& path : run.guarded->hidden) {
    if (path::is_beneath(path, run.granted.workspace))
      lines += files::ignore_line(path.substr(run.granted.workspace.size() + 1));
  }
  return lines;
}

Status plan_the_files(Preparation& run) {
  sandbox::HostFacts host = sandbox::read_host_facts(sandbox::system_questions());
  TRY_ASSIGN(run.plan.limits, sandbox::plan_limits(run.request.policy.limits,
                                                   sandbox::read_limit_facts(host.memory_bytes)));
  run.plan.identity =
      sandbox::plan_identity(run.caller.uid, run.caller.gid, run.caller.user, run.caller.group);
  sandbox::FileGrants files{.grants = run.granted.grants,
                            .links = run.granted.links,
                            .home = run.caller.home,
                            .shell = run.caller.shell,
                            .state = run.home.state,
                            .caches = run.home.caches,
                            .sockets = run.guarded->sockets,
                            .protections = run.guarded->protections,
                            .own_binary = own_binary(),
                            .in_memory = run.plan.limits.tmp};
  files.grants.insert(files.grants.end(), run.toolchain.grants.begin(), run.toolchain.grants.end());
  files.links.insert(files.links.end(), run.toolchain.links.begin(), run.toolchain.links.end());
  sandbox::Way home = sandbox::follow_links(run.caller.home_as_named);
  files.links.insert(files.links.end(), home.links.begin(), home.links.end());
  files.ignored_by_git = ignored_by_git(run);
  run.plan.mounts = sandbox::plan_files(files, host, run.plan.identity);
  run.plan.landlock_abi = host.landlock_abi;
  run.plan.has_hand = needs_hand(*run.guarded);
  run.plan.git_configs = run.guarded->git_configs;
  run.plan.workspace = run.granted.workspace;
  run.plan.working_folder = run.granted.working_folder;
  return {};
}

std::vector<std::string> values_of(const std::vector<policy::Text>& entries) {
  std::vector<std::string> values;
  for (const policy::Text& entry : entries)
    values.push_back(entry.value);
  return values;
}

// Later files win, as git has it.
std::vector<std::pair<std::string, std::string>> git_preferences(const Caller& caller) {
  std::vector<std::pair<std::string, std::string>> preferences;
  for (const char* name : {".config/git/config", ".gitconfig"}) {
    auto config = file::read(path::join(caller.home, name));
    if (!config) continue;
    for (auto& preference : files::take_git_preferences(*config))
      preferences.push_back(std::move(preference));
  }
  return preferences;
}

Status plan_the_environment(Preparation& run) {
  sandbox::EnvironmentRequest request;
  for (char** entry = environ; *entry != nullptr; entry++)
    request.caller.emplace_back(*entry);
  request.pass = values_of(run.request.policy.environment.pass);
  request.set = values_of(run.request.policy.environment.set);
  request.home = run.caller.home_as_named;
  request.user = run.plan.identity.user;
  request.shell = run.caller.shell;
  request.search_path = run.toolchain.search_path;
  request.working_folder = run.granted.working_folder;
  request.run_name = run.plan.run_name;
  run.plan.environment = sandbox::plan_environment(request);
  sandbox::GitRequest git{.preferences = git_preferences(run.caller),
                          .workspace = run.granted.workspace,
                          .ignore_file = run.guarded->hidden.empty() ? "" : sandbox::kGitIgnoreFile,
                          .hooks = run.request.policy.git.hooks.on};
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

constexpr PrepareStep kSteps[] = {
    {"know the caller's places", know_places},
    {"resolve the granted files", resolve_files},
    {"guard the policy file", guard_policy_file},
    {"check the variables", check_variables},
    {"find the program and its tools", find_tools},
    // After the grants: the default home is the workspace's.
    {"make the private home", make_home},
    // Before it has a name, which may be that of a run that was killed.
    {"mend configs", mend_configs},
    {"register the run", enter_registry},
    // Over every tree that will be shown.
    {"search for what must be guarded", search_trees},
    {"plan the files", plan_the_files},
    {"plan the environment", plan_the_environment},
    {"plan the command", plan_the_command},
};

}  // namespace

Status prepare(Preparation& preparation) {
  for (const PrepareStep& step : kSteps)
    TRY(step.apply(preparation));
  return {};
}

}  // namespace ringwall::session
