#include "clients/remote.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "base/channel.h"
#include "base/pipe.h"
#include "base/text.h"
#include "clients/front_end.h"
#include "clients/viewer_ends.h"
#include "processes/forwarded_signals.h"
#include "processes/socket_relay.h"
#include "processes/stdio.h"
#include "state/control.h"
#include "state/places.h"
#include "state/registry.h"

namespace ringwall::clients {
namespace {

// Null while the process is still going on.
Result<std::optional<processes::Outcome>> take_answer(int connection, processes::Outcome& so_far) {
  TRY_ASSIGN(channel::Message bytes, channel::receive(connection));
  if (bytes.bytes.empty()) return fail("the run has ended");
  TRY_ASSIGN(state::ControlMessage message, state::parse_control(bytes.bytes));
  if (message.type == state::ControlType::refused) return fail(message.text);
  if (message.type == state::ControlType::cannot_run) {
    so_far = {processes::Outcome::Kind::cannot_run, message.value};
    return std::optional<processes::Outcome>();
  }
  if (message.type != state::ControlType::finished) return fail("an unexpected answer of the run");
  if (so_far.kind == processes::Outcome::Kind::cannot_run) return std::optional(so_far);
  return std::optional(processes::outcome_of(message.value));
}

// What stops us stops the process too: it is no job of our shell.
Status hand_on(int connection, int signal) {
  bool stops = signal == SIGTSTP;
  TRY(state::send_control(connection, {state::ControlType::signal, stops ? SIGSTOP : signal}));
  if (!stops) return {};
  processes::stop_with_the_job();
  return state::send_control(connection, {state::ControlType::signal, SIGCONT});
}

Result<processes::Outcome> wait_for_end(int connection, int signals) {
  processes::Outcome so_far;
  int impatience = 0;
  while (true) {
    pollfd waits[] = {{connection, POLLIN, 0}, {signals, POLLIN, 0}};
    if (poll(waits, 2, -1) < 0 && errno != EINTR) return fail_errno("cannot wait for the run");
    if (waits[1].revents != 0) {
      signalfd_siginfo info;
      if (read(signals, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
        auto signal = static_cast<int>(info.ssi_signo);
        bool ends = signal == SIGINT || signal == SIGTERM || signal == SIGHUP;
        // The second time it means us; the run's supervisor ends what we asked for.
        if (ends && ++impatience > 1)
          return processes::Outcome{processes::Outcome::Kind::signaled, signal};
        TRY(hand_on(connection, signal));
      }
    }
    if (waits[0].revents == 0) continue;
    TRY_ASSIGN(auto outcome, take_answer(connection, so_far));
    if (outcome) return *outcome;
  }
}

// The terminal among `stdio`, if any: the process gets one of its own, shown on ours.
Result<std::optional<processes::Outcome>> run_at_terminal(Fd& connection, Fd& signals,
                                                          sandbox::SpawnRequest request,
                                                          int inside[3],
                                                          processes::SocketRelay& relay) {
  auto own = terminal::OwnTerminal::find();
  if (!own) return std::optional<processes::Outcome>();
  Fd null(open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!null) return fail_errno("cannot open /dev/null");
  request.terminal = processes::unseen_terminal(own);
  for (int i = 0; i < 3; i++) {
    request.terminal->stdio[i] = isatty(inside[i]) == 1;
    if (request.terminal->stdio[i]) inside[i] = null.get();
  }
  TRY_ASSIGN(ViewerEnds viewer, make_viewer(*own));
  int ends[] = {viewer.far.get(), viewer.output.get()};
  own->make_raw();  // before its first byte
  tell_listening(viewer.near, *own);
  TRY(state::ask_spawn(connection.get(), request, inside, ends, !terminal::reads_utf8(own)));
  relay.let_go();
  viewer.far.close();
  viewer.output.close();
  TRY_ASSIGN(terminal::DetachKeys none, terminal::DetachKeys::parse("none"));
  Parting parting =
      run_front_end({*own, std::move(signals), std::move(connection), std::move(viewer.near), Fd(),
                     std::move(viewer.pump), std::move(none)});
  if (parting.kind == Parting::Kind::refused) return fail(parting.text);
  if (parting.kind == Parting::Kind::cannot_run)
    return std::optional(processes::Outcome{processes::Outcome::Kind::cannot_run, parting.value});
  if (parting.kind != Parting::Kind::ended) return fail("the run has ended");
  return std::optional(processes::outcome_of(parting.value));
}

}  // namespace

Result<processes::Outcome> run_in(const std::string& run_name, const sandbox::SpawnRequest& request,
                                  const std::array<int, 3>& stdio) {
  TRY_ASSIGN(Fd connection, connect_to_listening_run(run_name));
  TRY_ASSIGN(Fd signals, processes::take_signals());
  int inside[3] = {stdio[0], stdio[1], stdio[2]};
  bool is_socket[3] = {};
  bool at_terminal = false;
  for (int i = 0; i < 3; i++) {
    struct stat facts;
    is_socket[i] = fstat(inside[i], &facts) == 0 && S_ISSOCK(facts.st_mode);
    at_terminal |= isatty(inside[i]) == 1;
  }
  processes::SocketRelay relay;
  TRY(relay.start(is_socket, inside, {}));
  std::optional<processes::Outcome> outcome;
  if (at_terminal) {
    TRY_ASSIGN(outcome, run_at_terminal(connection, signals, request, inside, relay));
  }
  if (!outcome) {
    TRY(state::ask_spawn(connection.get(), request, inside));
    relay.let_go();
    TRY_ASSIGN(outcome, wait_for_end(connection.get(), signals.get()));
  }
  relay.finish();
  return *outcome;
}

Result<Fd> connect_to_run(const std::string& run_name) {
  TRY_ASSIGN(state::Caller caller, state::read_caller());
  state::Places places = state::find_places(caller, getenv("XDG_RUNTIME_DIR"));
  TRY_ASSIGN(Fd folder, state::open_run(places, run_name));
  return state::connect_control(folder.get());
}

Result<Fd> connect_to_listening_run(const std::string& run_name) {
  TRY_ASSIGN(Fd connection, connect_to_run(run_name));
  TRY(state::check_that_it_answers(connection.get()));
  return connection;
}

namespace {

std::string describe_pause(const std::string& run_name, std::string_view why) {
  std::string name = text::quote(run_name);
  std::string since = why.empty() ? "" : ", since it " + std::string(why);
  return "ringwall: " + name + " is paused" + since + "; let it go on: ringwall resume " + name;
}

}  // namespace

Result<Parting> attach_to(const std::string& run_name, state::AttachMode mode,
                          const terminal::DetachKeys& keys) {
  auto own = terminal::OwnTerminal::find();
  if (!own) return fail("there is no terminal to attach", "start this in a terminal");
  TRY_ASSIGN(Fd connection, connect_to_listening_run(run_name));
  TRY(own->wait_for_foreground());
  TRY_ASSIGN(Fd signals, processes::take_signals());
  TRY_ASSIGN(ViewerEnds viewer, make_viewer(*own));
  state::ControlMessage request{state::ControlType::attach, static_cast<int32_t>(mode),
                                terminal::usable(own->size())};
  request.eight_bit = !terminal::reads_utf8(own);
  TRY_ASSIGN(Pipe messages, make_pipe());
  if (fcntl(messages.write.get(), F_SETFL, O_NONBLOCK) < 0)
    return fail_errno("cannot set up messages");
  int ends[] = {viewer.far.get(), viewer.output.get(), messages.write.get()};
  own->make_raw();  // before its first byte
  TRY(state::send_control(connection.get(), request, ends));
  TRY_ASSIGN(state::ControlMessage answer,
             state::receive_answer(connection.get(), state::ControlType::attached));
  std::string note;
  if (answer.value == state::kPaused) note = describe_pause(run_name, answer.text);
  viewer.far.close();
  viewer.output.close();
  messages.write.close();
  return run_front_end({*own, std::move(signals), std::move(connection), std::move(viewer.near),
                        std::move(messages.read), std::move(viewer.pump), keys,
                        mode == state::AttachMode::watch, true, std::move(note)});
}

Result<bool> pause_run(const std::string& run_name, bool paused) {
  TRY_ASSIGN(Fd connection, connect_to_listening_run(run_name));
  TRY(state::send_control(connection.get(), {state::ControlType::pause, paused ? 1 : 0}));
  TRY_ASSIGN(state::ControlMessage answer,
             state::receive_answer(connection.get(), state::ControlType::done));
  return answer.value != state::kUnchanged;
}

}  // namespace ringwall::clients
