#include "session/supervise.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "processes/forwarded_signals.h"
#include "session/supervisor.h"

namespace ringwall::session {
namespace {

using sandbox::kMainCommand;
using sandbox::MessageType;
using sandbox::Notice;
using terminal::RelayNotice;

// A command that does not end on SIGTERM or SIGHUP in this time is killed: nothing may outlive its
// supervisor by a second.
constexpr int64_t kGraceNanoseconds = 600'000'000;

constexpr int kImpatientMilliseconds = 200;

// The front end is gone, or hands on a signal that ends.
bool wants_end(int front_end) {
  auto message = channel::receive(front_end, MSG_DONTWAIT);
  auto request = message && !message->bytes.empty() ? state::parse_control(message->bytes)
                                                    : std::unexpected(Error{"gone"});
  if (!request) return true;
  bool ends = request->value == SIGTERM || request->value == SIGHUP || request->value == SIGINT ||
              request->value == SIGQUIT;
  return request->type == state::ControlType::signal && ends;
}

// The order of the descriptors that the supervisor waits for; clients follow.
enum Waits : size_t {
  kSignals,
  kPid1,
  kControl,
  kRelay,
  kBroker,
  kKeeper,
  kHand,
  kExecStop,
  kNetwork,
  kPublished,
  kKeys,
  kRecord,
  kGuard,
  kGate,
  kOnlooker,
  kRepository,
  kClients
};

}  // namespace

Supervisor::Supervisor(SupervisedRun& run)
    : run_(run),
      has_terminal_(run_.relay.is_running()),
      watch_(run_.watch),
      risk_(run_.run_name, run_.risk, run_.exec_stop.is_running()) {
  if (run_.record != nullptr)
    run_.record->let_hear([this](int64_t at, std::string_view event) { risk_.hear(at, event); });
  prepare_network();
  if (!run_.front_end) return;
  Client& first = clients_.emplace_back();
  first.connection = std::move(run_.front_end);
  first.is_front_end = true;
  first.viewer = kFirstViewer;
}

Supervisor::~Supervisor() {
  if (run_.record != nullptr) run_.record->let_hear({});
}

processes::Outcome Supervisor::run() {
  hear_keeper();
  while (!ended_)
    step();
  hear_last_of_onlooker();
  for (const events::LimitReached& limit : watch_.last_look(outcome_.exit_status()))
    run_.tell(limit);
  // Held any longer, we would have to take the mounts apart ourselves.
  run_.sandbox.mount_namespace.close();
  run_.sandbox.handed_out.for_hand.mask.close();
  sandbox::kill_sandbox(run_.sandbox);
  run_.tidy_up();
  if (!run_.network.desk) tell_of_no_network();
  // Who was the last inside is taken apart by the kernel while the rest is done, unless somebody
  // waits for its end.
  bool is_left_alone = sweep_asked_ && clients_.empty() && !run_.exec_stop.is_running();
  if (!is_left_alone) sandbox::end_sandbox(run_.sandbox);
  hear_last_of_gate();
  hear_last_of_exec_stop();
  run_.exec_stop.end();
  answer_who_ended_it();
  hear_last_of_hand();
  run_.hand.end();
  if (run_.network.desk) {
    finish_network();
    run_.network.desk->tell_sent();
    events::NetworkUse use = run_.network.desk->describe_use();
    run_.tells_use ? run_.tell(use) : note(use);
    run_.network.desk->end();
  }
  if (run_.network.keys) run_.network.keys->end();
  sweep();
  finish_keeping();
  if (is_left_alone) sandbox::end_sandbox(run_.sandbox);
  run_.repository.finish(run_.tell);
  show_the_rest();
  for (Client& client : clients_) {
    // Who started a further command that went with the run has no status of it.
    if (client.spawned != 0 || (!client.is_front_end && client.viewer == 0)) continue;
    state::ControlMessage last{state::ControlType::ended, outcome_.exit_status()};
    if (outcome_.kind == processes::Outcome::Kind::signaled)
      snprintf(last.text, sizeof last.text, "%d", outcome_.value);
    answer(client, last);
  }
  return outcome_;
}

void Supervisor::step() {
  std::vector<pollfd> waits = {
      {run_.signals.get(), POLLIN, 0},
      {run_.sandbox.channel.get(), POLLIN, 0},
      {run_.control.get(), POLLIN, 0},
      {run_.relay.fd(), POLLIN, 0},
      {run_.broker.fd(), POLLIN, 0},
      {run_.keeper.fd(), POLLIN, 0},
      {run_.hand.fd(), POLLIN, 0},
      {run_.exec_stop.fd(), POLLIN, 0},
      {run_.network.desk ? run_.network.desk->fd() : -1, POLLIN, 0},
      {run_.network.published ? run_.network.published->fd() : -1, POLLIN, 0},
      {run_.network.keys ? run_.network.keys->fd() : -1, POLLIN, 0},
      {run_.record != nullptr ? run_.record->fd() : -1, POLLIN, 0},
      {run_.guard.fd(), POLLIN, 0},
      {run_.gate ? run_.gate->fd() : -1, POLLIN, 0},
      {run_.onlooker.fd, POLLIN, 0},
      {run_.repository.fd(), POLLIN, 0}};
  for (const Client& client : clients_)
    waits.push_back({client.connection.get(), POLLIN, 0});
  size_t connected = clients_.size();
  if (run_.listeners != nullptr) run_.listeners->add_waits(waits);
  int ready = poll(waits.data(), waits.size(), thrift_.wait_time(poll_time()));
  if (ready < 0 && errno != EINTR) {
    ended_ = true;
    return;
  }
  thrift_.after_wait(ready);
  if (deadline_ != 0 && clock::monotonic() >= deadline_) ended_ = true;
  if (watch_.next_look() != 0 && clock::monotonic() >= watch_.next_look()) look_at_limits();
  if (waits[kSignals].revents != 0) take_signal();
  if (waits[kPid1].revents != 0) take_notice();
  if (waits[kRelay].revents != 0) take_relay_notice();
  if (waits[kBroker].revents != 0) take_broker_notice();
  if (waits[kKeeper].revents != 0) take_keeper_notice();
  if (waits[kHand].revents != 0) take_hand_notice();
  if (waits[kExecStop].revents != 0) take_program_notice();
  serve_network(waits[kNetwork].revents != 0);
  if (waits[kPublished].revents != 0) run_.network.published->step();
  if (waits[kKeys].revents != 0) serve_keys();
  keep_record(waits[kRecord].revents != 0);
  if (waits[kGuard].revents != 0) take_guard_notice();
  serve_gate(waits[kGate].revents != 0);
  if (waits[kOnlooker].revents != 0) hear_onlooker();
  if (waits[kRepository].revents != 0) run_.repository.step(run_.tell);
  // Clients before new ones: indices of `waits` follow `clients_`.
  for (size_t i = connected; i-- > 0;) {
    if (waits[kClients + i].revents != 0) take_request(i);
  }
  if (waits[kControl].revents != 0) accept_client();
  follow_risk();
  if (run_.listeners != nullptr) run_.listeners->flush();
}

int Supervisor::poll_time() const {
  int64_t until = watch_.next_look();
  int64_t network = run_.network.desk ? run_.network.desk->next_deadline() : 0;
  int64_t callback = run_.network.callback ? run_.network.callback->next_look() : 0;
  int64_t record = run_.record != nullptr ? run_.record->next_step() : 0;
  int64_t gate = run_.gate ? run_.gate->next_deadline() : 0;
  for (int64_t other : {deadline_, network, callback, record, gate, next_risk_look_, trial_ends_}) {
    if (other != 0 && (until == 0 || other < until)) until = other;
  }
  if (until == 0) return -1;
  int64_t left = until - clock::monotonic();
  return left <= 0 ? 0 : static_cast<int>(left / 1'000'000) + 1;
}

void Supervisor::serve_gate(bool is_ready) {
  if (!run_.gate) return;
  int64_t deadline = run_.gate->next_deadline();
  if (is_ready || (deadline != 0 && clock::monotonic() >= deadline)) run_.gate->step();
}

void Supervisor::look_at_limits() {
  for (const events::LimitReached& limit : watch_.look()) {
    if (limit.then == events::LimitReached::Then::paused) hold_up(limit);
    if (limit.then == events::LimitReached::Then::ended) {
      tell({MessageType::signal, kMainCommand, SIGTERM});
      wake_to_end();
      start_deadline({processes::Outcome::Kind::timed_out, SIGTERM});
    }
    run_.tell(limit);
  }
  if (auto processes = watch_.take_burst()) note(events::ProcessBurst{run_.run_name, *processes});
  bool held = std::exchange(held_, watch_.wants_stillness());
  if (held != held_ && !paused_) tell({MessageType::pause, kMainCommand, held_ ? 1 : 0});
}

void Supervisor::note(const events::Event& event) {
  if (run_.record != nullptr) run_.record->append(event);
}

void Supervisor::keep_record(bool has_failed) {
  if (run_.record == nullptr) return;
  int64_t look = run_.record->next_step();
  if (look != 0 && clock::monotonic() >= look) run_.record->step();
  auto why = has_failed ? run_.record->take_failure() : std::nullopt;
  if (!why) return;
  run_.tell(events::RecordFailing{run_.run_name, *why, run_.record_required});
  if (!run_.record_required) return;
  outcome_ = {processes::Outcome::Kind::lost, 1};
  is_lost_ = true;
  ended_ = true;
}

void Supervisor::take_signal() {
  signalfd_siginfo info;
  if (read(run_.signals.get(), &info, sizeof info) != static_cast<ssize_t>(sizeof info)) return;
  forward(static_cast<int>(info.ssi_signo));
}

// A hook tells what it decided when its agent may go on, and with it the command may end.
void Supervisor::hear_last_of_gate() {
  constexpr int kMost = 1024;
  pollfd ready{run_.gate ? run_.gate->fd() : -1, POLLIN, 0};
  for (int i = 0; i < kMost && run_.gate && poll(&ready, 1, 0) > 0; i++)
    run_.gate->step();
}

// Without a terminal of its own the run is a job by its supervisor alone: what is inside stands
// still as long as that is stopped.
void Supervisor::stop_as_a_job() {
  tell({MessageType::pause, kMainCommand, 1});
  processes::stop_with_the_job();
  if (!paused_ && !held_) tell({MessageType::pause, kMainCommand, 0});
}

void Supervisor::forward(int signal) {
  if (signal == SIGTSTP && !has_terminal_) return stop_as_a_job();
  tell({MessageType::signal, kMainCommand, signal});
  bool ends = signal == SIGTERM || signal == SIGHUP;
  if (!ends) return;
  wake_to_end();
  start_deadline({processes::Outcome::Kind::signaled, signal});
}

void Supervisor::take_notice() {
  auto message = channel::receive(run_.sandbox.channel.get());
  auto notice = message && !message->bytes.empty() ? sandbox::parse_notice(message->bytes)
                                                   : std::unexpected(Error{"gone"});
  if (!notice) {
    ended_ = true;  // pid 1 is gone, or says what it cannot say
    if (run_.exec_stop.is_running() && run_.exec_stop.was_killed()) hear_end_of_exec_stop();
    return;
  }
  if (notice->type == MessageType::terminal) return give_terminal(notice->id, message->fds);
  if (notice->type == MessageType::socket) return give_socket(message->fds);
  if (notice->id != kMainCommand) return answer_spawner(*notice);
  take_main_notice(*notice);
}

void Supervisor::take_main_notice(const Notice& notice) {
  if (notice.type == MessageType::cannot_run)
    outcome_ = {processes::Outcome::Kind::cannot_run, notice.value};
  if (notice.type == MessageType::exited) {
    bool known = outcome_.kind == processes::Outcome::Kind::cannot_run ||
                 outcome_.kind == processes::Outcome::Kind::timed_out;
    if (!known) outcome_ = processes::outcome_of(notice.value);
    ended_ = true;
    // While the kernel takes the sandbox apart.
    if (notice.alone != 0) ask_for_sweep();
  }
  if (notice.type == MessageType::restless && (paused_ || held_)) {
    lose_run("ended: the run was paused and does not stay so");
  }
  if (notice.type == MessageType::frozen && notice.value == 0)
    lose_run("ended: the run did not stand still while its files were looked at");
  if (notice.type == MessageType::frozen && run_.broker.is_running())
    (void)run_.broker.order(broker::BrokerOrder::Type::frozen);  // its end is seen by poll
  if (notice.type == MessageType::stopped) {
    // With nobody there to let it go on, it would be stopped for good.
    if (Client* front = front_end())
      return answer(*front, {state::ControlType::stopped, notice.value});
    tell({MessageType::resume, kMainCommand, 1});
  }
}

void Supervisor::take_relay_notice() {
  auto notice = run_.relay.receive();
  if (!notice) {
    run_.relay.end();
    if (ended_ || !has_terminal_) return;
    return lose_run("the relay of the terminal ended unexpectedly");
  }
  if (notice->type == RelayNotice::Type::drained) {
    if (notice->terminal == kMainCommand) main_drained_ = true;
    finish_spawner(notice->terminal);
  }
  if (notice->type == RelayNotice::Type::recording_failed) {
    run_.tell(describe_end_of_recording(run_.run_name, run_.terminals, notice->value));
  }
  if (notice->type == RelayNotice::Type::act || notice->type == RelayNotice::Type::acts_done) {
    bool done = notice->type == RelayNotice::Type::acts_done;
    answer_act("relay", notice->text, notice->value, done);
  }
}

// The sandbox is gone; its terminals may hold bytes that nobody has seen. A terminal that does not
// take them holds up nobody but its own front end.
void Supervisor::show_the_rest() {
  for (const Client& client : clients_) {
    if (client.has_terminal && client.spawned != 0) (void)run_.relay.end_terminal(client.spawned);
  }
  if (!run_.relay.is_running() || !run_.relay.end_terminal(kMainCommand)) return;
  // Who was told to end does not wait for a terminal that takes nothing.
  bool was_cut_short = deadline_ != 0 || outcome_.kind == processes::Outcome::Kind::lost;
  int patience = was_cut_short ? kImpatientMilliseconds : -1;
  while (!main_drained_ && run_.relay.is_running()) {
    Client* front = front_end();
    pollfd waits[] = {{run_.relay.fd(), POLLIN, 0},
                      {run_.signals.get(), POLLIN, 0},
                      {front != nullptr ? front->connection.get() : -1, POLLIN, 0}};
    int ready = poll(waits, 3, patience);
    bool impatient =
        ready == 0 || waits[1].revents != 0 || (waits[2].revents != 0 && wants_end(waits[2].fd));
    if ((ready < 0 && errno != EINTR) || impatient) break;
    if (waits[0].revents != 0) take_relay_notice();
  }
  run_.relay.end();
}

// Never blocks: a pid 1 that does not listen any more is given the time that SIGTERM gets.
void Supervisor::tell(const Notice& notice, std::span<const int> fds) {
  Status told = sandbox::send_notice(run_.sandbox.channel.get(), notice, fds, MSG_DONTWAIT);
  bool deaf = !told && told.error().err == EAGAIN;
  bool wants_end = notice.id == kMainCommand && (notice.value == SIGTERM || notice.value == SIGHUP);
  if (deaf && !wants_end && notice.value != SIGWINCH)
    start_deadline(processes::Outcome{processes::Outcome::Kind::lost});
}

void Supervisor::lose_run(std::string why, std::string advice) {
  if (std::exchange(is_lost_, true)) return;  // the first reason is the one that counts
  run_.tell(events::Refused{"", std::move(why), std::move(advice)});
  outcome_ = {processes::Outcome::Kind::lost, 1};
  ended_ = true;
}

void Supervisor::start_deadline(processes::Outcome outcome) {
  if (deadline_ != 0) return;
  deadline_ = clock::monotonic() + kGraceNanoseconds;
  outcome_ = outcome;
}

processes::Outcome supervise(SupervisedRun& run) { return Supervisor(run).run(); }

}  // namespace ringwall::session
