#include "session/remote.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "base/channel.h"
#include "session/control.h"
#include "session/places.h"
#include "session/registry.h"
#include "session/relay.h"
#include "terminal/modes.h"

namespace ringwall::session {
namespace {

// Null while the process is still going on.
Result<std::optional<Outcome>> take_answer(int connection, Outcome& so_far) {
  TRY_ASSIGN(channel::Message bytes, channel::receive(connection));
  if (bytes.bytes.empty()) return fail("the run has ended");
  TRY_ASSIGN(ControlMessage message, parse_control(bytes.bytes));
  if (message.type == ControlType::refused) return fail(message.text);
  if (message.type == ControlType::cannot_run) {
    so_far = {Outcome::Kind::cannot_run, message.value};
    return std::optional<Outcome>();
  }
  if (message.type != ControlType::finished) return fail("an unexpected answer of the run");
  if (so_far.kind == Outcome::Kind::cannot_run) return std::optional(so_far);
  if (WIFSIGNALED(message.value))
    return std::optional(Outcome{Outcome::Kind::signaled, WTERMSIG(message.value)});
  return std::optional(Outcome{Outcome::Kind::exited, WEXITSTATUS(message.value)});
}

Result<Outcome> wait_for_end(int connection, int signals) {
  Outcome so_far;
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
        if (ends && ++impatience > 1) return Outcome{Outcome::Kind::signaled, signal};
        TRY(send_control(connection, {ControlType::signal, static_cast<int32_t>(info.ssi_signo)}));
      }
    }
    if (waits[0].revents == 0) continue;
    TRY_ASSIGN(auto outcome, take_answer(connection, so_far));
    if (outcome) return *outcome;
  }
}

}  // namespace

Result<Outcome> run_in(const std::string& run_name, const sandbox::SpawnRequest& request,
                       const std::array<int, 3>& stdio) {
  TRY_ASSIGN(Caller caller, read_caller());
  Places places = find_places(caller, getenv("XDG_RUNTIME_DIR"));
  TRY_ASSIGN(Fd folder, open_run(places.runs, run_name));
  TRY_ASSIGN(Fd connection, connect_control(folder.get()));
  terminal::SavedModes modes;
  TRY_ASSIGN(Fd signals, take_signals());
  int inside[3] = {stdio[0], stdio[1], stdio[2]};
  bool is_socket[3] = {};
  for (int i = 0; i < 3; i++) {
    struct stat facts;
    is_socket[i] = fstat(inside[i], &facts) == 0 && S_ISSOCK(facts.st_mode);
  }
  SocketRelay relay;
  TRY(relay.start(is_socket, inside));
  TRY(ask_spawn(connection.get(), request, inside));
  auto outcome = wait_for_end(connection.get(), signals.get());
  relay.finish();
  return outcome;
}

}  // namespace ringwall::session
