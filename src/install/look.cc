#include "install/look.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/file.h"
#include "base/path.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "install/apply.h"
#include "install/divert.h"
#include "install/linked_file.h"
#include "prepare/profile_choice.h"

namespace ringwall::install {
namespace {

constexpr size_t kMostBytes = 4u << 20;
constexpr const char* kSystemPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

std::string variable(const char* name) {
  const char* value = getenv(name);
  return value == nullptr ? "" : value;
}

// Where links lead: a settings file may lie in a person's repository of such files.
std::string real_path(const std::string& path) {
  char resolved[PATH_MAX];
  return realpath(path.c_str(), resolved) == nullptr ? path : resolved;
}

Result<SeenFile> see(const std::string& named) {
  SeenFile file{real_path(named), {}};
  TRY_ASSIGN(file.state, look_at(file.path, kMostBytes));
  return file;
}

// One that links may lead away from.
Result<SeenFile> see_linked(const Scope& scope, const std::string& named) {
  TRY_ASSIGN(SeenFile file, see(named));
  TRY(check_linked_file(scope, named, file.path));
  return file;
}

// Beside the shims; for everybody where /usr/local/bin/ringwall has its other programs.
std::string wrapper_path(const Scope& scope) {
  if (!scope.system) return path::join(scope.shims, "ringwall-wrap");
  return path::join(path::parent(path::parent(scope.program)), "lib/ringwall/ringwall-wrap");
}

// Where the agent reads them with the variables that the person has.
std::string persons_settings(const Scope& scope, const Agent& agent) {
  std::string settings(agent.settings);
  std::string folder =
      agent.folder_variable.empty() ? "" : variable(std::string(agent.folder_variable).c_str());
  if (!folder.starts_with('/')) return path::join(scope.home, settings);
  return path::normalize(folder + settings.substr(settings.find('/')));
}

// Settings that only root can read bind nobody, and a folder that only root can enter hides them.
Status check_everybody_reads(const std::string& path) {
  for (std::string at = path; at != "/"; at = path::parent(at)) {
    struct stat facts;
    if (stat(at.c_str(), &facts) < 0) {
      if (errno == ENOENT) continue;
      return fail_errno("cannot look at " + text::quote(at));
    }
    bool is_folder = S_ISDIR(facts.st_mode);
    mode_t needed = is_folder ? 0005 : 0004;
    if ((facts.st_mode & needed) != needed)
      return fail(text::quote(at) + " cannot be read by everybody, whom it has to bind",
                  std::string("chmod ") + (is_folder ? "a+rx " : "a+r ") + text::shell_word(at) +
                      ", and install again");
  }
  return {};
}

Result<SeenAgent> see_agent(const Scope& scope, const Agent& agent) {
  SeenAgent seen{.agent = &agent};
  seen.copies = find_copies(search_for(scope, agent.name));
  if (scope.system) {
    for (const Copy& copy : seen.copies) {
      if (is_owned_by_a_package(copy.path)) seen.owned_copies.push_back(copy.path);
    }
  } else {
    TRY_ASSIGN(seen.first_shim, look_at(path::join(scope.shims, agent.name), kMostShimBytes));
  }
  std::string settings(scope.system ? agent.system_settings : agent.settings);
  if (settings.empty()) return seen;
  if (!scope.system) settings = persons_settings(scope, agent);
  TRY_ASSIGN(SeenFile file, see_linked(scope, settings));
  if (scope.system) TRY(check_everybody_reads(file.path));
  seen.settings.push_back(std::move(file));
  return seen;
}

}  // namespace

SearchRequest search_for(const Scope& scope, std::string_view command) {
  return {.command = std::string(command),
          .home = scope.home,
          .search_path = scope.home.empty() ? kSystemPath : prepare::callers_search_path(),
          .uid = scope.uid,
          .variable = variable};
}

std::vector<std::string> shell_files(const std::string& home, std::string_view shell) {
  std::vector<std::string> found;
  for (const char* name : {".bashrc", ".bash_profile", ".bash_login", ".profile", ".zshrc",
                           ".zprofile", ".config/fish/config.fish"}) {
    std::string path = path::join(home, name);
    if (file::exists(path)) found.push_back(path);
  }
  std::string_view name = path::basename(shell);
  std::string needed = path::join(home, name == "zsh"    ? ".zshrc"
                                        : name == "fish" ? ".config/fish/config.fish"
                                        : name == "bash" ? ".bashrc"
                                                         : ".profile");
  if (std::ranges::find(found, needed) == found.end()) found.push_back(needed);
  return found;
}

Result<Seen> look_around(const Scope& scope, const std::vector<const Agent*>& agents) {
  Seen seen;
  for (const Agent* agent : agents) {
    TRY_ASSIGN(SeenAgent one, see_agent(scope, *agent));
    seen.agents.push_back(std::move(one));
  }
  TRY_ASSIGN(SeenFile wrapper, see(wrapper_path(scope)));
  if (scope.system) {
    TRY(check_everybody_reads(path::parent(wrapper.path)));
    TRY(check_everybody_reads(scope.folder));
  }
  seen.wrapper.push_back(std::move(wrapper));
  if (scope.system) return seen;
  for (const std::string& path : shell_files(scope.home, variable("SHELL"))) {
    TRY_ASSIGN(SeenFile file, see_linked(scope, path));
    bool is_known = std::ranges::any_of(
        seen.shell_files, [&](const SeenFile& other) { return other.path == file.path; });
    if (!is_known) seen.shell_files.push_back(std::move(file));
  }
  return seen;
}

Result<std::vector<std::string>> repair(const Scope& scope, const Agent& agent,
                                        Manifest& manifest) {
  TRY_ASSIGN(InstallLock lock, InstallLock::take(scope));
  TRY_ASSIGN(manifest, read_manifest(scope));
  TRY_ASSIGN(Seen seen, look_around(scope, {&agent}));
  seen.shell_files.clear();
  TRY_ASSIGN(Plan plan, plan_install(scope, seen, manifest));
  std::vector<std::string> unwalled;
  for (const Change& change : plan.changes) {
    if (change.kind == Change::Kind::shim) unwalled.push_back(change.path);
  }
  if (!plan.changes.empty()) TRY(apply(scope, plan, manifest));
  return unwalled;
}

}  // namespace ringwall::install
