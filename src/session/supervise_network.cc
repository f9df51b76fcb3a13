// The supervisor's dealings with the network: the desk decides, pid 1 makes sockets inside.
#include <poll.h>

#include "base/clock.h"
#include "session/supervisor.h"

namespace ringwall::session {

using sandbox::kMainCommand;
using sandbox::MessageType;

void Supervisor::prepare_network() {
  if (!run_.network.desk) lost_tries_.watch(run_.sandbox.pid);
  if (run_.network.desk) {
    run_.network.desk->take_acts_by([this](std::string_view helper, std::string_view act, int err,
                                           bool done) { answer_act(helper, act, err, done); });
  }
  if (run_.network.keys) {
    run_.network.keys->take_acts_by([this](std::string_view act, int err, bool done) {
      answer_act("key keeper", act, err, done);
    });
  }
  if (!run_.network.published) return;
  run_.network.published->serve_by(
      [this](bool is_ipv6) {
        tell({MessageType::make_socket, kMainCommand, is_ipv6 ? 1 : 0});
      },
      [this](Fd inside, Fd outside) {
        // Its end is seen by poll.
        (void)run_.network.desk->join(std::move(inside), std::move(outside));
      });
}

void Supervisor::serve_network(bool is_ready) {
  int64_t look = run_.network.callback ? run_.network.callback->next_look() : 0;
  if (look != 0 && clock::monotonic() >= look) run_.network.callback->look();
  if (!run_.network.desk) return;
  int64_t deadline = run_.network.desk->next_deadline();
  if (!is_ready && (deadline == 0 || clock::monotonic() < deadline)) return;
  if (Status done = run_.network.desk->step(); !done && !ended_) lose_run(done.error().text());
}

// Programs send and end, as if the kernel saw to the rest; and one that was refused may end before
// we have heard of it.
void Supervisor::finish_network() {
  constexpr int64_t kPatience = 300'000'000;  // nanoseconds
  constexpr int kMostSteps = 256;             // where nothing is waited for
  bool ends_in_order = deadline_ == 0 && (outcome_.kind == processes::Outcome::Kind::exited ||
                                          outcome_.kind == processes::Outcome::Kind::signaled);
  desks::NetworkDesk& desk = *run_.network.desk;
  bool waits = ends_in_order && desk.finish().has_value();
  int64_t until = clock::monotonic() + kPatience;
  pollfd ready{desk.fd(), POLLIN, 0};
  for (int steps = 0; waits || steps < kMostSteps; steps++) {
    int64_t left = waits && !desk.has_finished() ? until - clock::monotonic() : 0;
    if (waits && left <= 0) return;
    if (poll(&ready, 1, static_cast<int>(left / 1'000'000 + (left > 0 ? 1 : 0))) <= 0) return;
    if (!desk.step()) return;
  }
}

// Whoever wonders why nothing is found hears of it once, in the end.
void Supervisor::tell_of_no_network() {
  bool is_wanted = run_.network.later.is_off;
  if (is_wanted && !run_.tells_use) return;
  bool was_looked_for = lost_tries_.were_made();
  if (!was_looked_for && !run_.tells_use) return;
  run_.tell(events::Withheld{
      was_looked_for ? "a program asked for a host or a resolver, and this run had no network"
                     : "this run had no network",
      is_wanted ? "network.off (--no-network) wants it so"
                : "let it reach a host: ringwall run --allow HOST …"});
}

void Supervisor::serve_keys() {
  if (Status done = run_.network.keys->step(); !done && !ended_) lose_run(done.error().text());
}

// Whoever decides by what is granted hears of a change.
void Supervisor::follow_network() {
  if (run_.network.keys && run_.network.desk) run_.network.keys->follow(run_.network.desk->rules());
}

void Supervisor::give_socket(std::vector<Fd>& fds) {
  if (run_.network.published)
    run_.network.published->take_socket(fds.empty() ? Fd() : std::move(fds[0]));
}

}  // namespace ringwall::session
