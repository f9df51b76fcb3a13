// ringwall start: what stands at an agent's plain name hands over to this.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/empty_folder.h"
#include "cli/install_scope.h"
#include "cli/local_time.h"
#include "cli/output.h"
#include "cli/wrapper_script.h"
#include "install/look.h"
#include "install/off_switch.h"
#include "prepare/grants.h"
#include "sandbox/inside_run.h"

namespace ringwall::cli {
namespace {

constexpr const char* kHelp = R"(Starts an installed agent behind the walls, as its plain name does.
Usage: ringwall start AGENT SHIM REAL [ARGUMENTS…]

What `ringwall install` puts at an agent's plain name calls this: SHIM is the file
that was started, REAL what it stands for ('': whatever comes next on PATH).
For everything else there is `ringwall run`.

Example:
  ringwall start claude "$0" '' --version
)";

struct Start {
  const install::Agent* agent = nullptr;
  std::string shim;
  std::string real;       // absolute; empty: to be found
  bool recorded = false;  // it was named by a shim, and not found on PATH just now
  std::vector<std::string> arguments;
};

// Of a script at the plain name that starts the plain name again: the next one is meant. A process
// keeps its number when it becomes another program, and its children have others.
constexpr const char* kStarted = "RINGWALL_STARTED";

std::string note_of_this_process(const std::string& real) {
  return std::to_string(getpid()) + " " + real;
}

bool was_started_by_this_process(const std::string& real) {
  const char* started = getenv(kStarted);
  return sandbox::is_inside_run() && started != nullptr && started == note_of_this_process(real);
}

// The next file of that name on PATH which is no shim; a shim says what it stands for.
Result<void> find_real(Start& start, const install::Scope& scope) {
  start.recorded = !start.real.empty();
  if (start.recorded) return {};
  for (const install::Copy& copy :
       install::find_copies(install::search_for(scope, start.agent->name))) {
    bool is_first_shim = copy.shim && copy.shim->real.empty();
    if (is_first_shim) continue;
    if (copy.shim && was_started_by_this_process(copy.shim->real)) continue;
    if (!copy.shim && !copy.on_path) continue;
    start.recorded = copy.shim.has_value();
    start.real = copy.shim ? copy.shim->real : copy.path;
    return {};
  }
  std::string name(start.agent->name);
  if (const char* search = getenv("PATH"); search == nullptr || *search == '\0')
    return fail(name + " cannot be found: PATH is not set here",
                "set it, or name the agent's own path: ringwall run -- /…/" + name);
  return fail(name + " is not installed on this machine",
              start.agent->package.empty() ? "install it as its makers say"
                                           : "npm install -g " + std::string(start.agent->package));
}

// An update that has taken a shim away is noticed here too, at the next start by another name.
void notice_updates(InstallPlace& place, const install::Agent& agent) {
  bool is_missing = false;
  for (const install::Change& change : place.manifest.changes) {
    if (change.kind != install::Change::Kind::shim || change.agent != agent.name) continue;
    auto now = install::look_at(change.path, install::kMostShimBytes);
    bool is_other = now && (now->is_link() ||
                            (now->is_file() && !(now->whole && install::read_shim(now->content))));
    is_missing = is_missing || is_other;
  }
  if (!is_missing) return;
  auto unwalled = install::repair(place.scope, agent, place.manifest);
  if (!unwalled) {
    complain(std::string(agent.name) +
                 " was updated, and a copy of it is not walled: " + unwalled.error().text(),
             "see: ringwall installed");
    return;
  }
  for (const std::string& path : *unwalled)
    fprintf(stderr, "ringwall: %s was updated; it is walled again\n", text::quote(path).c_str());
}

int run_bare(const Start& start) {
  std::vector<std::string> words = {start.real};
  words.insert(words.end(), start.arguments.begin(), start.arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(start.real.c_str(), pointers.data());
  complain("cannot start " + text::quote(start.real) + ": " + strerror(errno), "");
  return errno == ENOENT ? 127 : 126;
}

// The home itself is never shown. Who only asks for a version there gets an empty folder.
Result<EmptyFolder> folder_in_place_of_home(const InstallPlace& place) {
  TRY_ASSIGN(std::string folder, prepare::read_working_folder());
  if (!path::is_beneath(place.caller.home, folder)) return EmptyFolder{};
  TRY_ASSIGN(EmptyFolder empty, take_empty_folder(place.caller.home));
  fprintf(stderr,
          "ringwall: your home is not shown to it; it starts in %s (cd to a project first)\n",
          text::quote(empty.path).c_str());
  return empty;
}

Result<int> run_walled(const Start& start, const InstallPlace& place,
                       const Invocation& invocation) {
  Invocation run{{}, invocation.start_area};
  TRY_ASSIGN(EmptyFolder empty, folder_in_place_of_home(place));
  if (!empty.path.empty()) run.arguments.insert(run.arguments.end(), {"--workspace", empty.path});
  // What was only found on PATH has to be known by itself.
  if (start.recorded) {
    run.arguments.insert(run.arguments.end(), {"--profile", std::string(start.agent->name)});
    auto copies = install::find_copies(install::search_for(place.scope, start.agent->name));
    for (const std::string& path : paths_for_wrapper(start.real, copies, place.caller.home))
      run.arguments.insert(run.arguments.end(), {"--ro", path});
  }
  run.arguments.insert(run.arguments.end(), {"--", start.real});
  run.arguments.insert(run.arguments.end(), start.arguments.begin(), start.arguments.end());
  return cmd_run(run);
}

Result<int> start_agent(Start& start, const Invocation& invocation) {
  bool inside = sandbox::is_inside_run();
  TRY_ASSIGN(InstallPlace place, open_install_place(false));
  if (!inside) notice_updates(place, *start.agent);
  TRY(find_real(start, place.scope));
  if (inside) {
    setenv(kStarted, note_of_this_process(start.real).c_str(), 1);
    return run_bare(start);
  }
  if (auto off = install::off_in_force(place.caller, place.places, start.agent->name)) {
    fprintf(stderr, "ringwall: %s runs WITHOUT WALLS until %s: %s\n",
            std::string(start.agent->name).c_str(), local_time(off->until, "%H:%M:%S").c_str(),
            text::quote(off->reason).c_str());
    return run_bare(start);
  }
  return run_walled(start, place, invocation);
}

}  // namespace

int cmd_start(const Invocation& invocation) {
  const std::vector<std::string>& words = invocation.arguments;
  if (words.size() < 3) {
    bool asked = words.size() == 1 && (words[0] == "--help" || words[0] == "-h");
    fputs(kHelp, asked ? stdout : stderr);
    return asked ? 0 : kUsageStatus;
  }
  Start start{.agent = install::agent_by_name(words[0]),
              .shim = words[1],
              .real = words[2],
              .arguments = {words.begin() + 3, words.end()}};
  if (start.agent == nullptr) {
    complain("no agent is known as " + text::quote(words[0]), "see: ringwall install --help");
    return kUsageStatus;
  }
  auto done = start_agent(start, invocation);
  if (done) return *done;
  complain(done.error());
  return kUsageStatus;
}

}  // namespace ringwall::cli
