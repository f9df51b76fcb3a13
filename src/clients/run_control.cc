#include "clients/run_control.h"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>

#include "base/channel.h"
#include "base/clock.h"
#include "base/fixed_message.h"
#include "base/text.h"
#include "clients/remote.h"
#include "state/places.h"
#include "state/registry.h"

namespace ringwall::clients {
namespace {

constexpr int64_t kMillisecond = 1'000'000;
constexpr int kDeafMilliseconds = 900;    // a supervisor that lives answers when all is gone
constexpr int kGraceMilliseconds = 2000;  // beyond the time that a stop was given

Result<state::Places> find_places() {
  TRY_ASSIGN(state::Caller caller, state::read_caller());
  return state::find_places(caller, getenv("XDG_RUNTIME_DIR"));
}

Result<boost::json::object> ask(int connection, int patience) {
  TRY_ASSIGN(std::string text, state::ask_description(connection, patience));
  boost::system::error_code error;
  boost::json::value value = boost::json::parse(text, error);
  if (error || !value.is_object()) return fail("the run describes itself in no way that is known");
  return value.get_object();
}

Result<state::ControlMessage> ask_for(const std::string& run,
                                      const state::ControlMessage& request) {
  TRY_ASSIGN(Fd connection, connect_to_listening_run(run));
  TRY(state::send_control(connection.get(), request));
  return state::receive_answer(connection.get(), state::ControlType::done);
}

// True if the answer, or the end of the supervisor, came in time.
bool wait_for_end(int connection, int milliseconds) {
  int64_t until = clock::monotonic() + milliseconds * kMillisecond;
  while (true) {
    int64_t left = (until - clock::monotonic()) / kMillisecond;
    pollfd waits{connection, POLLIN, 0};
    if (left < 0 || poll(&waits, 1, static_cast<int>(left)) <= 0) return false;
    auto answer = channel::receive(connection, MSG_DONTWAIT);
    if (!answer || answer->bytes.empty()) return true;
    auto message = state::parse_control(answer->bytes);
    if (message && message->type == state::ControlType::done) return true;
  }
}

Status end_run(const std::string& run, const state::ControlMessage& request, int patience) {
  TRY_ASSIGN(Fd connection, connect_to_run(run));
  TRY_ASSIGN(Fd supervisor, open_supervisor(connection.get()));
  bool sent = state::send_control(connection.get(), request).has_value();
  if (sent && wait_for_end(connection.get(), patience)) return {};
  // It does not listen. Whatever keeps it, everything inside dies with it.
  if (syscall(SYS_pidfd_send_signal, supervisor.get(), SIGKILL, nullptr, 0) < 0 && errno != ESRCH)
    return fail_errno("the run " + text::quote(run) + " cannot be killed");
  pollfd waits{supervisor.get(), POLLIN, 0};
  if (poll(&waits, 1, kGraceMilliseconds) <= 0)
    return fail("the supervisor of " + text::quote(run) + " does not end");
  return {};
}

}  // namespace

Result<std::vector<boost::json::object>> describe_runs() {
  TRY_ASSIGN(state::Places places, find_places());
  TRY_ASSIGN(auto names, state::list_runs(places));
  std::vector<boost::json::object> described;
  for (const std::string& name : names) {
    auto folder = state::open_run(places, name);
    auto connection = folder ? state::connect_control(folder->get()) : std::move(folder);
    if (!connection) continue;  // ended since it was listed
    auto run = ask(connection->get(), state::kPatienceForMany);
    if (run) {
      described.push_back(std::move(*run));
    } else if (run.error().err == ETIMEDOUT) {
      // It goes on, whatever keeps its supervisor: a person must see it.
      ucred peer{};
      socklen_t size = sizeof peer;
      (void)getsockopt(connection->get(), SOL_SOCKET, SO_PEERCRED, &peer, &size);
      described.push_back({{"name", name}, {"pid", peer.pid}, {"answers", false}});
    }
  }
  return described;
}

Result<boost::json::object> describe_run(const std::string& name) {
  TRY_ASSIGN(Fd connection, connect_to_run(name));
  return ask(connection.get(), state::kPatienceForOne);
}

Result<std::vector<std::string>> list_run_names() {
  TRY_ASSIGN(state::Places places, find_places());
  return state::list_runs(places);
}

Result<std::string> choose_run(const std::string& name) {
  if (!name.empty()) return name;
  TRY_ASSIGN(auto names, list_run_names());
  if (names.size() == 1) return names[0];
  if (names.empty()) return fail("no run is going on");
  return fail("which run?", "going on are: " + text::join(names, ", "));
}

Status allow_host(const std::string& run, const std::string& host, int64_t seconds) {
  state::ControlMessage request{state::ControlType::allow};
  fixed::put(request.text, host);
  request.seconds = seconds;
  auto done = ask_for(run, request);
  return done ? Status() : std::unexpected(done.error());
}

Status deny_host(const std::string& run, const std::string& host) {
  state::ControlMessage request{state::ControlType::deny};
  fixed::put(request.text, host);
  auto done = ask_for(run, request);
  return done ? Status() : std::unexpected(done.error());
}

Result<std::string> lower_risk(const std::string& run, const std::string& reason) {
  state::ControlMessage request{state::ControlType::lower_risk};
  fixed::put(request.text, reason);
  TRY_ASSIGN(state::ControlMessage done, ask_for(run, request));
  return std::string(done.text);
}

Result<std::string> answer_request(const std::string& run, int32_t id, bool approves,
                                   int64_t seconds) {
  state::ControlMessage request{approves ? state::ControlType::approve : state::ControlType::reject,
                                id};
  request.seconds = seconds;
  TRY_ASSIGN(state::ControlMessage done, ask_for(run, request));
  return std::string(done.text);
}

Result<Fd> open_supervisor(int connection) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0)
    return fail_errno("cannot find the run's supervisor");
  Fd process(static_cast<int>(syscall(SYS_pidfd_open, peer.pid, 0)));
  if (!process) return fail_errno("cannot find the run's supervisor");
  return process;
}

Status stop_run(const std::string& run, int64_t seconds) {
  state::ControlMessage request{state::ControlType::stop};
  request.seconds = seconds;
  return end_run(run, request, static_cast<int>(seconds * 1000) + kGraceMilliseconds);
}

Status kill_run(const std::string& run) {
  return end_run(run, {state::ControlType::kill}, kDeafMilliseconds);
}

}  // namespace ringwall::clients
