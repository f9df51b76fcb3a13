#include "prepare/grants.h"

#include <limits.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/file.h"
#include "base/file_id.h"
#include "base/path.h"
#include "base/text.h"
#include "sandbox/toolchain.h"
#include "state/homes.h"
#include "state/registry.h"
#include "state/shims_folder.h"

namespace ringwall::prepare {
namespace {

struct ForbiddenTree {
  std::string_view path;
  std::string_view why;
};

// Never granted as a whole; what lies deeper may be.
constexpr ForbiddenTree kNotAsAWhole[] = {
    {"/usr", "it is the system"},
    {"/usr/local", "it is the system"},
    {"/usr/bin", "it is the system"},
    {"/usr/sbin", "it is the system"},
    {"/usr/lib", "it is the system"},
    {"/usr/lib64", "it is the system"},
    {"/usr/share", "it is the system"},
    {"/opt", "it is the system"},
    {"/var", "it is the system"},
    {"/var/lib", "it is the system"},
    {"/boot", "it is the system"},
    {"/home", "it holds people's home folders"},
    {"/run", "it holds the host's sockets"},
    {"/tmp", "it is shared with every other program"},
    {"/var/tmp", "it is shared with every other program"},
    {"/var/run", "it holds the host's sockets"},
};

// Not even in part.
constexpr ForbiddenTree kNotAtAll[] = {
    {"/proc", "it is the kernel's; the sandbox has its own"},
    {"/sys", "it is the kernel's"},
    {"/dev", "it holds the host's devices; the sandbox has its own"},
};

// A workspace below /dev/shm is an ordinary folder in memory.
bool is_shared_memory(const std::string& real) {
  return path::is_beneath(real, "/dev/shm") && real != "/dev/shm";
}

// HOME may name another folder than the account's (su, sudo -E, a runner of CI): what other
// sessions of the same person start lies in that one.
std::vector<std::string> homes_of(const state::Caller& caller) {
  std::vector<std::string> homes = {caller.home};
  const passwd* account = getpwuid(caller.uid);
  if (account == nullptr || account->pw_dir == nullptr || account->pw_dir[0] != '/') return homes;
  std::string home = sandbox::follow_links(path::normalize(account->pw_dir)).end;
  struct stat facts;
  bool is_own = stat(home.c_str(), &facts) == 0 && facts.st_uid == caller.uid && home != "/";
  if (is_own && home != caller.home) homes.push_back(home);
  return homes;
}

class Resolver {
 public:
  Resolver(const state::Caller& caller, const state::Places& places)
      : caller_(caller), places_(places), homes_(homes_of(caller)) {}

  Result<std::string> add(const std::string& path, sandbox::Access access,
                          const std::string& reason, const policy::Rule& rule) {
    if (path.size() >= PATH_MAX)
      return fail("the path is longer than " + std::to_string(PATH_MAX - 1) + " characters");
    sandbox::Way way = sandbox::follow_links(path);
    struct stat facts;
    if (stat(way.end.c_str(), &facts) < 0)
      return fail_errno(reason + ": " + text::quote(path) + " cannot be granted",
                        "name a file or folder that is there");
    if (Status fine = check(path, way.end, access, facts); !fine) {
      fine.error().what = reason + ": " + fine.error().what;
      return std::unexpected(fine.error());
    }
    granted.links.insert(granted.links.end(), way.links.begin(), way.links.end());
    ways_.emplace_back(path, way);
    put({way.end, access, reason, rule});
    return way.end;
  }

  // A link that the agent can change may lead anywhere the next time: what was named is not what
  // would be granted.
  Status check_links() const {
    for (const auto& [named, way] : ways_) {
      for (const sandbox::LinkOnTheWay& link : way.links) {
        for (const sandbox::Grant& tree : granted.grants) {
          bool planted = tree.access == sandbox::Access::write && tree.path != way.end &&
                         path::is_beneath(link.path, tree.path);
          if (!planted || path::is_beneath(way.end, tree.path)) continue;
          return fail(text::quote(named) + " cannot be granted: " + text::quote(link.path) +
                          " is a link in a folder that the agent may change, and leads out of it",
                      "name the real path: " + text::quote(way.end));
        }
      }
    }
    return {};
  }

  const std::vector<std::string>& homes() const { return homes_; }

  GrantedFiles granted;

 private:
  // One grant a path; the wider one wins, since both were asked for.
  void put(sandbox::Grant grant) {
    for (sandbox::Grant& known : granted.grants) {
      if (known.path != grant.path) continue;
      if (grant.access == sandbox::Access::write) known = std::move(grant);
      return;
    }
    granted.grants.push_back(std::move(grant));
  }

  std::vector<std::string> own_folders() const {
    std::vector<std::string> folders = {places_.state, places_.runs, places_.config,
                                        places_.usual_config};
    for (std::string& registry : state::find_registries(places_))
      folders.push_back(std::move(registry));
    for (const std::string& home : homes_) {
      if (home == caller_.home) continue;  // those are the first
      state::Caller there = caller_;
      there.home = home;
      state::Places usual = state::find_places(there, nullptr);
      folders.insert(folders.end(), {usual.state, usual.usual_config});
    }
    return folders;
  }

  Status check(const std::string& named, const std::string& real, sandbox::Access access,
               const struct stat& facts) const {
    auto refuse = [&](std::string_view why, std::string hint = "name a folder below it") {
      return Status(
          fail(text::quote(named) + " cannot be granted: " + std::string(why), std::move(hint)));
    };
    for (const std::string& home : homes_) {
      if (path::is_beneath(home, real))
        return refuse(real == home ? "it is your home folder" : "it holds your home folder",
                      "use a project folder: ringwall run -w DIR -- …");
    }
    for (const std::string& own : own_folders()) {
      if (path::is_beneath(own, real) || path::is_beneath(real, own)) {
        return refuse("Ringwall's own files are there", "use another folder");
      }
    }
    for (const std::string& home : homes_) {
      std::string shims = path::join(home, state::kShimsFolder);
      bool changes_shims = path::is_beneath(shims, real) || path::is_beneath(real, shims);
      if (access == sandbox::Access::write && changes_shims)
        return refuse("names of installed agents are found there", "use another folder");
    }
    for (const ForbiddenTree& tree : kNotAsAWhole) {
      if (real == tree.path) return refuse(tree.why);
    }
    for (const ForbiddenTree& tree : kNotAtAll) {
      if (path::is_beneath(real, tree.path) && !is_shared_memory(real))
        return refuse(tree.why, "use another folder");
    }
    if (path::is_beneath(real, "/etc") && (real == "/etc" || access == sandbox::Access::write)) {
      return refuse("it holds the system's settings", "grant single files of it with --ro");
    }
    if (!S_ISDIR(facts.st_mode) && !S_ISREG(facts.st_mode)) {
      return refuse("it is neither a file nor a folder", "name a file or a folder");
    }
    int rights = access == sandbox::Access::write ? R_OK | W_OK : R_OK;
    if (S_ISDIR(facts.st_mode)) rights |= X_OK;
    if (::access(real.c_str(), rights) < 0) {
      return fail_errno(text::quote(named) + " cannot be granted",
                        errno == EROFS ? "it lies on a read-only filesystem; grant it with --ro"
                                       : "look at its permissions: ls -ld " + text::quote(real));
    }
    return {};
  }

  const state::Caller& caller_;
  const state::Places& places_;
  std::vector<std::string> homes_;
  std::vector<std::pair<std::string, sandbox::Way>> ways_;
};

std::string find_workspace(const std::string& folder, const state::Caller& caller,
                           const std::vector<std::string>& homes) {
  for (std::string at = folder; at != "/"; at = path::parent(at)) {
    bool holds_home = path::is_beneath(caller.home_as_named, at);
    for (const std::string& home : homes)
      holds_home = holds_home || path::is_beneath(home, at);
    if (holds_home) break;
    struct stat facts;
    if (lstat((at + "/.git").c_str(), &facts) == 0) return at;
  }
  return folder;
}

// The nearest .git upward of the current folder. By the shell's name for it, unless a link of the
// repository led out of what was found.
std::string default_workspace(const std::string& folder, const state::Caller& caller,
                              const std::vector<std::string>& homes) {
  std::string found = find_workspace(folder, caller, homes);
  if (found == folder) return found;
  std::string real = sandbox::follow_links(folder).end;
  bool holds = path::is_beneath(real, sandbox::follow_links(found).end);
  return holds ? found : find_workspace(real, caller, homes);
}

// An agent that deletes the .git of its workspace must not get the repository around it: a folder
// that was a workspace before stays one until the person says otherwise. By real paths: a link on
// the way to the current folder is not what holds it.
Status refuse_wider_workspace(const std::string& workspace, const std::string& working_folder,
                              const state::Places& places) {
  if (workspace == working_folder) return {};
  std::string found = sandbox::follow_links(workspace).end;
  std::string here = sandbox::follow_links(working_folder).end;
  for (std::string at = here; at.size() > found.size(); at = path::parent(at)) {
    if (!state::was_workspace(at, places)) continue;
    return fail("the workspace would be " + text::quote(found) + ", but " + text::quote(at) +
                    " was a workspace before and has no .git any more",
                "say which: ringwall run -w " + text::quote(at) + " …");
  }
  return {};
}

}  // namespace

Result<std::string> read_working_folder() {
  char real[PATH_MAX];
  if (getcwd(real, sizeof real) == nullptr) {
    return fail_errno("the current folder cannot be used", "cd to a folder that exists");
  }
  if (real[0] != '/')
    return fail("the current folder lies outside the root", "cd to a folder that exists");
  const char* named = getenv("PWD");
  struct stat here, there;
  if (named != nullptr && named[0] == '/' && stat(".", &here) == 0 && stat(named, &there) == 0 &&
      file::is_same(here, there)) {
    return path::normalize(named);
  }
  return std::string(real);
}

std::string find_workspace(const std::string& folder, const state::Caller& caller) {
  return find_workspace(folder, caller, homes_of(caller));
}

namespace {

// The caller's own name for it, if every link on the way is there inside.
std::string working_folder_inside(const GrantedFiles& granted, const std::string& folder,
                                  const std::string& workspace) {
  sandbox::Way way = sandbox::follow_links(folder);
  if (!path::is_beneath(way.end, granted.workspace)) return workspace;
  bool same_name = std::all_of(way.links.begin(), way.links.end(), [&](const auto& link) {
    return path::is_beneath(link.path, granted.workspace) ||
           std::any_of(granted.links.begin(), granted.links.end(),
                       [&](const auto& known) { return known.path == link.path; });
  });
  return same_name ? folder : way.end;
}

}  // namespace

namespace {

Result<std::string> choose_workspace(const policy::Policy& policy,
                                     const std::string& working_folder, const state::Caller& caller,
                                     const state::Places& places,
                                     const std::vector<std::string>& homes) {
  if (!policy.files.workspace.value.empty()) return policy.files.workspace.value;
  std::string workspace = default_workspace(working_folder, caller, homes);
  TRY(refuse_wider_workspace(workspace, working_folder, places));
  return workspace;
}

}  // namespace

Result<std::string> choose_workspace(const policy::Policy& policy,
                                     const std::string& working_folder, const state::Caller& caller,
                                     const state::Places& places) {
  return choose_workspace(policy, working_folder, caller, places, homes_of(caller));
}

Status check_grant(const std::string& path, sandbox::Access access, const state::Caller& caller,
                   const state::Places& places) {
  Resolver resolver(caller, places);
  TRY(resolver.add(path, access, "grant", {}));
  return {};
}

Result<GrantedFiles> resolve_grants(const policy::Policy& policy, const std::string& working_folder,
                                    const state::Caller& caller, const state::Places& places,
                                    const std::vector<NamedFile>& named_files) {
  Resolver resolver(caller, places);
  const policy::Text& asked = policy.files.workspace;
  TRY_ASSIGN(std::string named,
             choose_workspace(policy, working_folder, caller, places, resolver.homes()));
  std::string reason =
      asked.value.empty() ? "workspace" : "workspace (" + asked.origin.text() + ")";
  struct stat facts;
  if (stat(named.c_str(), &facts) == 0 && !S_ISDIR(facts.st_mode)) {
    return fail("the workspace " + text::quote(named) + " is not a folder",
                "name the folder that holds it");
  }
  TRY_ASSIGN(std::string real, resolver.add(named, sandbox::Access::write, reason,
                                            {"files.workspace", asked.origin}));
  for (const policy::Text& entry : policy.files.read) {
    TRY_ASSIGN(std::string shown, resolver.add(entry.value, sandbox::Access::read,
                                               "files.read (" + entry.origin.text() + ")",
                                               {"files.read", entry.origin}));
    // Elsewhere it may mean other runs.
    if (shown == real && entry.origin.layer == policy::Layer::command_line)
      return fail(
          entry.origin.text() + " " + text::quote(entry.value) +
              " is the workspace, which the command may change",
          "to see what it changes before it counts: --review; to work in another folder: -w "
          "FOLDER");
  }
  for (const policy::Text& entry : policy.files.write) {
    TRY(resolver.add(entry.value, sandbox::Access::write,
                     "files.write (" + entry.origin.text() + ")", {"files.write", entry.origin}));
  }
  for (const NamedFile& file : named_files)
    TRY(resolver.add(file.path, sandbox::Access::read, file.reason, file.rule));
  TRY(resolver.check_links());
  GrantedFiles& granted = resolver.granted;
  granted.workspace = real;
  granted.working_folder = working_folder_inside(granted, working_folder, named);
  return std::move(granted);
}

}  // namespace ringwall::prepare
