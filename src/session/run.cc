#include "session/run.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <boost/json.hpp>
#include <cstring>

#include <algorithm>

#include "base/channel.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/path.h"
#include "base/syscalls.h"
#include "base/text.h"
#include "policy/fields.h"
#include "sandbox/diagnose.h"
#include "sandbox/launch.h"
#include "session/attended_run.h"
#include "session/control.h"
#include "session/start_failure.h"
#include "session/supervise.h"

namespace ringwall::session {
namespace {

// Every value that gives the inside more than the defaults do, with where it came from.
std::vector<std::string> list_widenings(const policy::Policy& policy) {
  std::vector<std::string> widenings;
  policy::Policy copy = policy;
  auto add = [&](const policy::Field& field, const std::string& value, const std::string& origin) {
    widenings.push_back(std::string(field.key) + "=" + value + " (" + origin + ")");
  };
  for (const policy::Field& field : policy::fields()) {
    if (!field.widens) continue;
    if (const auto* single = std::get_if<policy::TextOf>(&field.member)) {
      const policy::Text& text = (*single)(copy);
      if (!text.value.empty()) add(field, text.value, text.origin);
    } else if (const auto* list = std::get_if<policy::ListOf>(&field.member)) {
      for (const policy::Text& text : (*list)(copy))
        add(field, text.value, text.origin);
    } else if (const auto* on = std::get_if<policy::SwitchOf>(&field.member)) {
      if ((*on)(copy).on) add(field, "true", (*on)(copy).origin);
    }
  }
  return widenings;
}

// A socket that is not there inside although its folder is: the person should know why.
void tell_masked_sockets(const RunHooks& hooks, const std::vector<std::string>& sockets) {
  if (sockets.empty()) return;
  std::string what = sockets.size() == 1
                         ? "1 socket of the host is masked: "
                         : std::to_string(sockets.size()) + " sockets of the host are masked: ";
  what += text::quote(sockets[0]) + (sockets.size() > 1 ? ", …" : "");
  hooks.tell(events::Withheld{what, "see them all: ringwall run --explain …"});
}

void tell_hidden(const RunHooks& hooks, const std::vector<std::string>& hidden) {
  if (hidden.empty()) return;
  std::string what = hidden.size() == 1
                         ? "1 file with secrets is hidden: "
                         : std::to_string(hidden.size()) + " files with secrets are hidden: ";
  what += text::quote(hidden[0]) + (hidden.size() > 1 ? ", …" : "");
  hooks.tell(
      events::Withheld{what, "show one: --show PATTERN; see them all: ringwall run --explain …"});
}

// What was asked for and cannot be had: a shell's <(…), a variable that is not set.
void tell_missing(const RunHooks& hooks, const Preparation& prepared) {
  for (const std::string& argument : prepared.plan.arguments) {
    if (!argument.starts_with("/dev/fd/") && !argument.starts_with("/proc/self/fd/")) continue;
    hooks.tell(events::Withheld{
        text::quote(argument) + " is not there inside: descriptors above 2 are closed",
        "pass it by a pipe, or by a file in the workspace"});
  }
  for (const policy::Text& name : prepared.request.policy.environment.pass) {
    if (getenv(name.value.c_str()) != nullptr) continue;
    hooks.tell(
        events::Withheld{"the variable " + name.value + " (" + name.origin + ") is not set", ""});
  }
}

events::RunStarted describe_start(const Preparation& prepared, const sandbox::Cgroup& cgroup) {
  events::RunStarted started{prepared.plan.run_name,
                             prepared.plan.workspace,
                             prepared.plan.arguments,
                             list_widenings(prepared.request.policy),
                             {}};
  if (prepared.plan.landlock_abi < sandbox::kLeastLandlockAbi)
    started.missing_walls.emplace_back("landlock");
  if (sandbox::wants_cgroup(prepared.plan.limits) && !cgroup.is_there())
    started.missing_walls.emplace_back("cgroup");
  return started;
}

boost::json::object description(const Preparation& prepared) {
  boost::json::object out{
      {"name", prepared.plan.run_name},   {"pid", getpid()},
      {"started", clock::wall_seconds()}, {"workspace", prepared.plan.workspace},
      {"home", prepared.home.name},       {"landlock_abi", prepared.plan.landlock_abi}};
  boost::json::array command;
  for (const std::string& argument : prepared.plan.arguments)
    command.emplace_back(argument);
  out["command"] = std::move(command);
  return out;
}

int refuse(const RunHooks& hooks, const sandbox::LaunchFailure& failure) {
  sandbox::Diagnosis diagnosis = sandbox::diagnose(failure);
  std::string wall(sandbox::facts_of(diagnosis.wall).name);
  hooks.tell(events::Refused{wall, diagnosis.reason, diagnosis.mend});
  return kRefusedStatus;
}

// Input and output are the command's alone from here on: when it closes them, whoever is at the
// other end must see it. Messages go to 2, which stays.
void let_go_of_stdio() {
  Fd null(open("/dev/null", O_RDWR | O_CLOEXEC));
  if (null && (dup2(null.get(), 0) < 0 || dup2(null.get(), 1) < 0)) return;
}

// The relay holds the command's terminal from here on, and shows it to whoever looks.
Status show_terminal(RelayLink& relay, const sandbox::Launched& launched, const Stdio& stdio,
                     Attendance& attendance) {
  TRY(relay.wait_until_ready());
  RelayedTerminalRequest request = attendance.terminal;
  request.size = {stdio.terminal->size.ws_row, stdio.terminal->size.ws_col};
  request.recording = attendance.recording.get();
  request.awaits_viewer = static_cast<bool>(attendance.viewer_socket);
  TRY(relay.add_terminal(request, launched.terminal.get()));
  if (!attendance.viewer_socket) return {};
  return relay.add_viewer({sandbox::kMainCommand, kFirstViewer, true, request.utf8,
                           terminal::Size(), attendance.viewer_socket.get(),
                           attendance.viewer_output.get()});
}

Result<sandbox::Cgroup> make_cgroup(const sandbox::Plan& plan) {
  return sandbox::make_cgroup(plan.limits, plan.run_name, plan.workspace);
}

WatchInputs plan_watch(const Preparation& prepared, const sandbox::Launched& launched,
                       const sandbox::Cgroup& cgroup) {
  WatchInputs watch{.run = prepared.plan.run_name,
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
    if (grant.access == sandbox::Access::write) watch.workspace.push_back(grant.path);
  }
  return watch;
}

Result<BrokerLink> start_broker(const Preparation& prepared, std::span<char> start_area, int hand) {
  BrokerRequest request{.guarded = *prepared.guarded,
                        .quarantine = path::join(prepared.places.state, "quarantine"),
                        .run_name = prepared.plan.run_name,
                        .start_area = start_area,
                        .journals = journals_folder(prepared.places),
                        .hand = hand};
  bool watches = std::any_of(prepared.guarded->trees.begin(), prepared.guarded->trees.end(),
                             [](const GuardedTree& tree) { return tree.writable; });
  if (!watches || sandbox::is_taken_away(sandbox::Wall::plant_watch)) return BrokerLink();
  return BrokerLink::start(request);
}

// Where the hand asks the broker about updates of git configs.
Result<channel::Pair> connect_hand_and_broker(const sandbox::Plan& plan) {
  if (!plan.has_hand || plan.git_configs.empty()) return channel::Pair();
  return channel::make_pair();
}

Result<HandLink> start_hand(const Preparation& prepared, sandbox::Launched& launched, Fd broker,
                            std::span<char> start_area) {
  if (!prepared.plan.has_hand) return HandLink();
  return HandLink::start(launched, prepared.plan, std::move(broker), start_area);
}

void tell_outcome(const RunHooks& hooks, const Preparation& prepared, const Outcome& outcome) {
  if (outcome.kind == Outcome::Kind::cannot_run)
    hooks.tell(explain_exec_failure(prepared.plan.arguments[0], outcome.value));
  if (outcome.kind == Outcome::Kind::lost && outcome.value == 0)
    hooks.tell(events::Refused{"", "pid 1 of the sandbox ended unexpectedly", ""});
  hooks.tell(events::RunEnded{prepared.plan.run_name, outcome.exit_status()});
}

}  // namespace

int refuse(const RunHooks& hooks, const Error& error) {
  hooks.tell(events::Refused{"", error.text(), error.hint});
  return kRefusedStatus;
}

int launch_and_supervise(const RunHooks& hooks, Preparation& prepared, Stdio& stdio,
                         Attendance attendance) {
  auto signals = take_signals();
  if (!signals) return refuse(hooks, signals.error());
  if (Status done = stdio.start_socket_relay(hooks.start_area); !done)
    return refuse(hooks, done.error());
  // Before the agent: its walls stand when the first byte comes.
  auto relay = stdio.terminal ? RelayLink::start(hooks.start_area) : RelayLink();
  if (!relay) return refuse(hooks, relay.error());
  auto asks = connect_hand_and_broker(prepared.plan);
  if (!asks) return refuse(hooks, asks.error());
  auto cgroup = make_cgroup(prepared.plan);
  if (!cgroup) return refuse(hooks, cgroup.error());
  auto launched = sandbox::launch({prepared.plan,
                                   {stdio.fds[0], stdio.fds[1], stdio.fds[2]},
                                   stdio.terminal,
                                   hooks.start_area,
                                   hooks.run_builtin,
                                   &*cgroup});
  if (!launched) return refuse(hooks, launched.error());
  // While the child builds the walls.
  auto control = listen_for_control(prepared.registration.folder());
  auto broker = start_broker(prepared, hooks.start_area, asks->theirs.get());
  if (auto ready = sandbox::wait_until_ready(*launched); !ready)
    return refuse(hooks, ready.error());
  asks->theirs.close();
  auto hand = start_hand(prepared, *launched, std::move(asks->ours), hooks.start_area);
  Status shown = control ? Status() : std::unexpected(control.error());
  if (shown && !broker) shown = std::unexpected(broker.error());
  if (shown && !hand) shown = std::unexpected(hand.error());
  if (shown && stdio.terminal) shown = show_terminal(*relay, *launched, stdio, attendance);
  // The relay and the inside have theirs: a run that was left holds nothing of the caller's.
  attendance.viewer_socket.close();
  attendance.viewer_output.close();
  attendance.recording.close();
  stdio.let_go();
  if (!shown) {
    sandbox::end_sandbox(*launched);
    return refuse(hooks, shown.error());
  }
  let_go_of_stdio();
  stdio.relay.let_go();
  hooks.tell(describe_start(prepared, *cgroup));
  tell_masked_sockets(hooks, prepared.guarded->sockets);
  tell_hidden(hooks, prepared.guarded->hidden);
  tell_missing(hooks, prepared);
  if (attendance.front_end) (void)send_control(attendance.front_end.get(), {ControlType::attached});
  if (attendance.leaves_at_once) attendance.front_end.close();
  keep_indexes(*prepared.guarded);
  WatchInputs watch = plan_watch(prepared, *launched, *cgroup);
  Outcome outcome = supervise(
      {std::move(*launched), std::move(*signals), std::move(*control), prepared.plan.run_name,
       description(prepared), prepared.plan.landlock_abi >= sandbox::kLeastLandlockAbi,
       [&] { prepared.registration = {}; }, std::move(watch), hooks.tell, std::move(*relay),
       attendance.terminal, hooks.start_area, std::move(*broker), std::move(*hand),
       std::move(attendance.front_end)});
  tell_outcome(hooks, prepared, outcome);
  stdio.relay.finish();
  return outcome.exit_status();
}

namespace {

// Told first, since nothing works without it: inside a sandbox this call is refused.
std::optional<sandbox::LaunchFailure> missing_openat2() {
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  Fd root(sys::openat2(AT_FDCWD, "/", how));
  if (root) return std::nullopt;
  return sandbox::LaunchFailure{sandbox::Wall::user_namespace, "make the namespaces",
                                Error{"openat2 was refused", errno, {}}};
}

}  // namespace

int run(const RunRequest& request, const RunHooks& hooks) {
  if (auto failure = missing_openat2()) return refuse(hooks, *failure);
  Preparation prepared{.request = request};
  // What we make has the modes we say; the command gets the caller's mask back.
  prepared.plan.umask = umask(022);
  if (Status done = prepare(prepared); !done) return refuse(hooks, done.error());
  if (auto failure = foresee_start_failure(prepared)) {
    hooks.tell(failure->event);
    return failure->exit_status;
  }
  bool landlock = prepared.plan.landlock_abi >= sandbox::kLeastLandlockAbi;
  std::optional<terminal::OwnTerminal> terminal = terminal::OwnTerminal::find();
  Stdio stdio;
  if (Status judged = judge_stdio(stdio, terminal, landlock); !judged)
    return refuse(hooks, judged.error());
  if (request.detach) stdio.terminal = unseen_terminal(terminal);
  if (stdio.terminal) return run_attended(hooks, prepared, stdio, terminal);
  if (!request.recording.empty()) {
    return refuse(hooks, Error{"there is no terminal to record", 0,
                               "only what is shown on a terminal is recorded; see: --detach"});
  }
  return launch_and_supervise(hooks, prepared, stdio, {});
}

}  // namespace ringwall::session
