#include "session/run.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <memory>

#include "base/channel.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "calls/rename_listener.h"
#include "host/diagnose.h"
#include "learn/learn.h"
#include "policy/fields.h"
#include "prepare/guard_plan.h"
#include "prepare/start_failure.h"
#include "processes/forwarded_signals.h"
#include "sandbox/launch.h"
#include "session/apply_review.h"
#include "session/attended_run.h"
#include "session/repository_look.h"
#include "session/review_end.h"
#include "session/run_processes.h"
#include "session/run_record.h"
#include "session/run_report.h"
#include "session/supervise.h"
#include "state/control.h"

namespace ringwall::session {
namespace {

constexpr int kImpatientMilliseconds = 200;

Status check_strictness(const prepare::Preparation& prepared, const limits::Cgroup& cgroup) {
  const policy::Switch& strict = prepared.request.policy.walls.strict;
  std::vector<std::string> missing = list_missing_walls(prepared, cgroup);
  if (!strict.on || missing.empty()) return {};
  return fail("the wall \"" + missing[0] + "\" cannot be had here, and the policy is strict (" +
                  strict.origin.text() + ")",
              "see what is missing: ringwall doctor");
}

int refuse(const RunHooks& hooks, const sandbox::LaunchFailure& failure) {
  host::Diagnosis diagnosis = host::diagnose(failure);
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
Status show_terminal(RelayLink& relay, const sandbox::Launched& launched,
                     const processes::Stdio& stdio, Attendance& attendance) {
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

Result<limits::Cgroup> make_cgroup(prepare::Preparation& prepared) {
  const sandbox::Plan& plan = prepared.plan;
  // Who shares its own with another process cannot have one made in it.
  if (limits::wants_cgroup(plan.limits)) prepared.early.end();
  return limits::make_cgroup(plan.limits, plan.run_name, plan.workspace);
}

template <typename... Parts>
Status first_failure(const Parts&... parts) {
  Status failure;
  ((failure && !parts ? void(failure = std::unexpected(parts.error())) : void()), ...);
  return failure;
}

}  // namespace

int refuse(const RunHooks& hooks, const Error& error) {
  hooks.tell(events::Refused{"", error.text(), error.hint});
  return kRefusedStatus;
}

namespace {

// What there is before the first byte can come from inside.
struct Surroundings {
  Fd signals;
  RelayLink relay;
  RunNetwork network;
  channel::Pair asks;  // of the hand, to the broker
  limits::Cgroup cgroup;
};

Result<Surroundings> make_surroundings(const RunHooks& hooks, prepare::Preparation& prepared,
                                       processes::Stdio& stdio) {
  Surroundings around;
  TRY_ASSIGN(around.signals, processes::take_signals());
  TRY(stdio.start_socket_relay(hooks.start_area));
  if (stdio.terminal) {
    TRY_ASSIGN(around.relay, RelayLink::start(hooks.start_area));
  }
  TRY_ASSIGN(around.asks, connect_hand_and_broker(prepared.plan));
  TRY_ASSIGN(around.cgroup, make_cgroup(prepared));
  TRY(check_strictness(prepared, around.cgroup));
  return around;
}

// Tells the person, also on the desktop, and the record. Who has no record is told alone: the build
// for tests.
RunHooks record_too(const RunHooks& hooks, Recorder* recorder, desks::DesktopNotifier& notifier) {
  RunHooks both = hooks;
  both.tell = [tell = hooks.tell, recorder, &notifier](const events::Event& event) {
    if (recorder != nullptr) recorder->append(event);
    if (const auto* asked = std::get_if<events::Asked>(&event)) notifier.tell(*asked);
    if (const auto* level = std::get_if<events::RiskLevel>(&event)) notifier.tell(*level);
    tell(event);
  };
  return both;
}

desks::EventWays ways_of(const RunHooks& hooks, Recorder* recorder) {
  return {hooks.tell, [recorder](const events::Event& event) {
            if (recorder != nullptr) recorder->append(event);
          }};
}

// What the inside asks for is answered from here on.
Result<std::unique_ptr<desks::GateDesk>> open_services(const prepare::Preparation& prepared,
                                                       sandbox::Launched& launched,
                                                       RunNetwork& network, desks::EventWays ways,
                                                       std::span<char> start_area) {
  const std::string& run = prepared.plan.run_name;
  TRY_ASSIGN(auto gate, prepare::open_gate(prepared.gate, launched.handed_out, run, ways));
  TRY(network.open(launched, prepared.network, run, ways, start_area));
  return gate;
}

// From here on nobody but the command holds what was the caller's. An error if who waits for the
// start of a run in the background is gone before it; of others the supervisor sees it.
Status let_go_of_all(processes::Stdio& stdio, Attendance& attendance) {
  let_go_of_stdio();
  stdio.relay.let_go();
  if (!attendance.front_end) return {};
  Status told = state::send_control(attendance.front_end.get(), {state::ControlType::attached});
  if (!attendance.leaves_at_once) return {};
  attendance.front_end.close();
  return told;
}

// What the supervisor gets of the policy and of what was made before the sandbox.
SupervisedRun describe_supervision(prepare::Preparation& prepared, sandbox::Launched& launched,
                                   Surroundings& around, Attendance& attendance,
                                   const RunHooks& hooks) {
  const prepare::RunRequest& request = prepared.request;
  processes::WatchInputs watch = plan_watch(prepared, launched, around.cgroup);
  return {.sandbox = std::move(launched),
          .signals = std::move(around.signals),
          .run_name = prepared.plan.run_name,
          .identity = prepared.plan.identity,
          .masks_later = prepared.plan.masks_later,
          .landlock = prepared.plan.landlock_abi >= sandbox::kLeastLandlockAbi,
          .bars_files = prepared.plan.exec.bars_files(),
          .tells_use = request.verbose || request.learn,
          .strict = request.policy.walls.strict.on,
          .tidy_up = [&prepared] { prepared.registration = {}; },
          .watch = std::move(watch),
          .tell = hooks.tell,
          .listeners = hooks.listeners,
          .network_lock = request.network_lock,
          .risk = request.policy.risk,
          .record_required = request.policy.record.required.on,
          .relay = std::move(around.relay),
          .terminals = attendance.terminal,
          .start_area = hooks.start_area,
          .exec_policy = request.policy.exec,
          .network = std::move(around.network),
          .onlooker = hooks.onlooker,
          .front_end = std::move(attendance.front_end)};
}

int give_up(const RunHooks& hooks, const sandbox::Launched& launched, const Error& error) {
  sandbox::end_sandbox(launched);
  return refuse(hooks, error);
}

int refuse_without_record(const RunHooks& hooks, const sandbox::LaunchResult& launched,
                          const Error& error) {
  if (launched) sandbox::end_sandbox(*launched);
  return refuse(hooks, sandbox::LaunchFailure{sandbox::Wall::record, "begin the record", error});
}

RepositoryLook look_at_repository(const prepare::Preparation& prepared,
                                  std::span<char> start_area) {
  const prepare::RunRequest& request = prepared.request;
  if (request.policy.audit.off.on || !request.shown_review.trees.empty()) return {};
  return RepositoryLook::start(prepared.granted.workspace, *prepared.guarded, prepared.places,
                               prepared.plan.run_name, start_area);
}

// Who pages through what a command has said reads the end of it too; who was told to end does not
// wait for that.
void finish_output(const RunHooks& hooks, const SupervisedRun& run,
                   const processes::Outcome& outcome, processes::Stdio& stdio) {
  using Kind = processes::Outcome::Kind;
  bool was_cut_short = outcome.kind == Kind::timed_out || outcome.kind == Kind::signaled ||
                       outcome.kind == Kind::lost;
  if (hooks.listeners != nullptr)
    hooks.listeners->finish(run.signals.get(), was_cut_short ? kImpatientMilliseconds : -1);
  stdio.relay.finish();
}

bool is_guarded(const prepare::Preparation& prepared) {
  return prepared.guard.least != guard::Kind::none;
}

// `wanted` is for the hand of a run that learns.
int start_and_supervise(const RunHooks& person, prepare::Preparation& prepared,
                        processes::Stdio& stdio, Attendance attendance, std::span<char> wanted) {
  auto around = make_surroundings(person, prepared, stdio);
  if (!around) return refuse(person, around.error());
  ExecStopLink exec_stop;
  auto launched = launch(person, prepared, stdio, around->cgroup, exec_stop);
  // While the child builds the walls. The command waits for our word: there is none without record.
  events::RunStarted start = describe_start(prepared, around->cgroup);
  auto recorder = begin_record(prepared, start);
  if (!recorder) return refuse_without_record(person, launched, recorder.error());
  desks::DesktopNotifier notifier(prepared.notification);
  RunHooks hooks = record_too(person, recorder->get(), notifier);
  if (!launched) return refuse(hooks, launched.error());
  auto network = RunNetwork::start(prepared.network, hooks.start_area);
  if (!network) return give_up(hooks, *launched, network.error());
  around->network = std::move(*network);
  KeeperLink keeper = start_keeper(prepared, recorder->get(), hooks.start_area, hooks.tell);
  auto control = state::listen_for_control(prepared.registration.folder());
  auto ground = look_at_ground(*prepared.guarded, prepared.caller.home);
  Status begun = is_guarded(prepared) ? Status() : let_start_if_kept(prepared, *launched, keeper);
  auto broker = start_broker(prepared, hooks.start_area, ground, around->asks.theirs.get());
  if (auto ready = sandbox::wait_until_ready(*launched); !ready)
    return refuse(hooks, ready.error());
  around->asks.theirs.close();
  if (!is_guarded(prepared) && begun) begun = let_command_start(prepared, *launched, keeper);
  auto hand =
      start_hand(prepared, *launched, std::move(around->asks.ours), hooks.start_area, wanted);
  auto guard = start_guard(prepared, *launched);
  auto gate = open_services(prepared, *launched, around->network, ways_of(hooks, recorder->get()),
                            hooks.start_area);
  Status shown = first_failure(begun, control, broker, hand, guard, gate);
  if (shown && stdio.terminal) shown = show_terminal(around->relay, *launched, stdio, attendance);
  if (shown && is_guarded(prepared)) shown = let_command_start(prepared, *launched, keeper);
  attendance.let_go();
  stdio.let_go();
  if (!shown) return give_up(hooks, *launched, shown.error());
  person.tell(start);
  Status told = let_go_of_all(stdio, attendance);
  tell_start(hooks, prepared);
  mend_records(prepared, recorder->get(), hooks.tell);
  prepare::keep_indexes(*prepared.guarded);
  Status looked = first_failure(told, prepare::check_late_programs(prepared.exec));
  if (!looked) return give_up(hooks, *launched, looked.error());
  SupervisedRun run = describe_supervision(prepared, *launched, *around, attendance, hooks);
  run.control = std::move(*control);
  run.broker = std::move(*broker);
  run.keeper = std::move(keeper);
  run.hand = std::move(*hand);
  run.exec_stop = std::move(exec_stop);
  run.guard = std::move(*guard);
  run.gate = std::move(*gate);
  run.record = recorder->get();
  run.description = describe_run(prepared, recorder->get());
  run.repository = look_at_repository(prepared, hooks.start_area);
  processes::Outcome outcome = supervise(run);
  tell_outcome(hooks, prepared, outcome);
  end_record(recorder->get(), prepared.plan.run_name, person.tell);
  finish_output(hooks, run, outcome, stdio);
  return outcome.exit_status();
}

}  // namespace

int launch_and_supervise(const RunHooks& hooks, prepare::Preparation& prepared,
                         processes::Stdio& stdio, Attendance attendance) {
  if (!prepared.request.learn) {
    int status = start_and_supervise(hooks, prepared, stdio, std::move(attendance), {});
    if (status == kRefusedStatus) drop_unused_review(prepared);
    return status;
  }
  auto learning = learn::Learning::begin();
  if (!learning) return refuse(hooks, learning.error());
  RunHooks listening = hooks;
  listening.tell = [&](const events::Event& event) {
    if (!(*learning)->takes(event) || prepared.request.verbose) hooks.tell(event);
  };
  int status =
      start_and_supervise(listening, prepared, stdio, std::move(attendance), (*learning)->memory());
  if (!(*learning)->has_begun()) return status;
  auto proposal = (*learning)->end(prepared);
  if (!proposal) return refuse(hooks, proposal.error());
  hooks.learned(*proposal);
  return status;
}

int run(const prepare::RunRequest& request, const RunHooks& hooks) {
  if (auto failure = prepare::find_missing_openat2()) return refuse(hooks, *failure);
  if (request.learn && !calls::can_listen_for_calls())
    return refuse(hooks, Error{"this kernel cannot show which files a command asks for", 0,
                               "learn needs Linux 5.19; without it: ringwall run -- …"});
  std::unique_ptr<prepare::Preparation> kept(new prepare::Preparation{.request = request});
  prepare::Preparation& prepared = *kept;
  // What we make has the modes we say; the command gets the caller's mask back.
  prepared.plan.umask = umask(022);
  if (request.register_it) finish_killed(request.places);
  // A run with a terminal is launched by another process than this one.
  bool is_attended = request.detach || terminal::OwnTerminal::find();
  if (!is_attended) prepared.early = sandbox::EarlyNamespaces::start();
  if (Status done = prepare::prepare(prepared); !done) {
    drop_unused_review(prepared);
    return refuse(hooks, done.error());
  }
  if (auto failure = prepare::foresee_start_failure(prepared)) {
    drop_unused_review(prepared);
    hooks.tell(failure->event);
    return failure->exit_status;
  }
  bool landlock = prepared.plan.landlock_abi >= sandbox::kLeastLandlockAbi;
  std::optional<terminal::OwnTerminal> terminal = terminal::OwnTerminal::find();
  processes::Stdio stdio;
  if (Status judged = processes::judge_stdio(stdio, terminal, landlock); !judged)
    return refuse(hooks, judged.error());
  if (request.detach) stdio.terminal = processes::unseen_terminal(terminal);
  if (stdio.terminal) return run_attended(hooks, prepared, stdio, terminal);
  if (!request.recording.empty()) {
    return refuse(hooks, Error{"there is no terminal to record", 0,
                               "only what is shown on a terminal is recorded; see: --detach"});
  }
  int status = launch_and_supervise(hooks, prepared, stdio, {});
  // The rest goes with this process, all at once: to give it back piece by piece would copy every
  // page that helpers were given.
  prepared.registration = {};
  prepared.early.end();
  (void)kept.release();
  return status;
}

}  // namespace ringwall::session
