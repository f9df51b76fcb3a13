#include "session/supervise.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <vector>

#include "base/channel.h"
#include "base/clock.h"
#include "base/syscalls.h"
#include "sandbox/descriptors.h"
#include "sandbox/messages.h"
#include "session/control.h"

namespace ringwall::session {
namespace {

using sandbox::kMainCommand;
using sandbox::MessageType;
using sandbox::Notice;

constexpr int kForwarded[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGWINCH,
                              SIGTSTP, SIGCONT, SIGUSR1, SIGUSR2};

// A command that does not end on SIGTERM or SIGHUP in this time is killed: nothing may outlive its
// supervisor by a second.
constexpr int64_t kGraceNanoseconds = 700'000'000;

struct Client {
  Fd connection;
  uint32_t spawned = 0;  // id of the process started for it, 0: none
};

class Supervisor {
 public:
  explicit Supervisor(SupervisedRun run) : run_(std::move(run)) {}

  Outcome run() {
    while (!ended_)
      step();
    sandbox::kill_sandbox(run_.sandbox);
    run_.tidy_up();
    sandbox::end_sandbox(run_.sandbox);
    return outcome_;
  }

 private:
  void step() {
    std::vector<pollfd> waits = {{run_.signals.get(), POLLIN, 0},
                                 {run_.sandbox.channel.get(), POLLIN, 0},
                                 {run_.control.get(), POLLIN, 0}};
    for (const Client& client : clients_)
      waits.push_back({client.connection.get(), POLLIN, 0});
    if (poll(waits.data(), waits.size(), poll_time()) < 0 && errno != EINTR) {
      ended_ = true;
      return;
    }
    if (deadline_ != 0 && clock::monotonic() >= deadline_) ended_ = true;
    if (waits[0].revents != 0) take_signal();
    if (waits[1].revents != 0) take_notice();
    // Clients before new ones: indices of `waits` follow `clients_`.
    for (size_t i = clients_.size(); i-- > 0;) {
      if (waits[i + 3].revents != 0) take_request(i);
    }
    if (waits[2].revents != 0) accept_client();
  }

  int poll_time() const {
    if (deadline_ == 0) return -1;
    int64_t left = deadline_ - clock::monotonic();
    return left <= 0 ? 0 : static_cast<int>(left / 1'000'000) + 1;
  }

  void take_signal() {
    signalfd_siginfo info;
    if (read(run_.signals.get(), &info, sizeof info) != static_cast<ssize_t>(sizeof info)) return;
    int signal = static_cast<int>(info.ssi_signo);
    // The kernel delivers a stop only by its default action, which a blocked signal does not take.
    bool stop = signal == SIGTSTP;
    tell({MessageType::signal, kMainCommand, stop ? SIGSTOP : signal});
    if (stop && run_.terminal) raise(SIGSTOP);
    bool ends = signal == SIGTERM || signal == SIGHUP;
    if (ends) {
      tell({MessageType::signal, kMainCommand, SIGCONT});
      start_deadline({Outcome::Kind::signaled, signal});
    }
  }

  void take_notice() {
    auto message = channel::receive(run_.sandbox.channel.get());
    auto notice = message && !message->bytes.empty() ? sandbox::parse_notice(message->bytes)
                                                     : std::unexpected(Error{"gone"});
    if (!notice) {
      ended_ = true;  // pid 1 is gone, or says what it cannot say
      return;
    }
    if (notice->id != kMainCommand) return answer_client(*notice);
    if (notice->type == MessageType::cannot_run) {
      outcome_ = {Outcome::Kind::cannot_run, notice->value};
    } else if (notice->type == MessageType::exited) {
      if (outcome_.kind != Outcome::Kind::cannot_run) {
        outcome_ = WIFSIGNALED(notice->value)
                       ? Outcome{Outcome::Kind::signaled, WTERMSIG(notice->value)}
                       : Outcome{Outcome::Kind::exited, WEXITSTATUS(notice->value)};
      }
      ended_ = true;
    }
  }

  void answer_client(const Notice& notice) {
    for (Client& client : clients_) {
      if (client.spawned != notice.id) continue;
      bool finished = notice.type == MessageType::exited;
      ControlMessage answer{finished ? ControlType::finished : ControlType::cannot_run,
                            notice.value};
      (void)send_control(client.connection.get(),
                         answer);  // a client that left is removed at its hang-up
      if (finished) client.spawned = 0;
    }
  }

  void accept_client() {
    auto client = accept_control(run_.control.get());
    if (client) clients_.push_back({std::move(*client), 0});
  }

  void take_request(size_t index) {
    Client& client = clients_[index];
    auto message = channel::receive(client.connection.get(), MSG_DONTWAIT);
    auto request = message && !message->bytes.empty() ? parse_control(message->bytes)
                                                      : std::unexpected(Error{"gone"});
    if (!request) return drop_client(index);
    if (request->type == ControlType::describe) return describe(client);
    if (request->type == ControlType::signal && client.spawned != 0) {
      return tell({MessageType::signal, client.spawned, request->value});
    }
    if (request->type == ControlType::spawn && client.spawned == 0) return spawn(client, *message);
    drop_client(index);
  }

  // Whoever asked for a process and leaves takes it along.
  void drop_client(size_t index) {
    uint32_t id = clients_[index].spawned;
    if (id != 0) tell({MessageType::signal, id, SIGKILL});
    clients_.erase(clients_.begin() + static_cast<ptrdiff_t>(index));
  }

  void describe(Client& client) {
    auto file = channel::memory_file(run_.description);
    if (!file) return;
    int fds[] = {file->get()};
    (void)send_control(client.connection.get(), {ControlType::described}, fds);
  }

  void spawn(Client& client, channel::Message& message) {
    ControlMessage refusal{ControlType::refused};
    if (message.fds.size() != 4) {
      snprintf(refusal.text, sizeof refusal.text, "a spawn request needs four descriptors");
      (void)send_control(client.connection.get(), refusal);
      return;
    }
    for (int i = 0; i < 3; i++) {
      // Whatever the client has open is judged as our own descriptors were.
      auto kind = sandbox::judge_descriptor(message.fds[static_cast<size_t>(i) + 1].get(), i,
                                            run_.landlock);
      bool fine = kind && *kind != sandbox::Descriptor::socket;
      if (fine) continue;
      snprintf(refusal.text, sizeof refusal.text, "%s",
               kind ? "a socket cannot be handed to a process inside" : kind.error().what.c_str());
      (void)send_control(client.connection.get(), refusal);
      return;
    }
    client.spawned = next_id_++;
    int fds[] = {message.fds[0].get(), message.fds[1].get(), message.fds[2].get(),
                 message.fds[3].get()};
    tell({MessageType::spawn, client.spawned}, fds);
  }

  // Never blocks: a pid 1 that does not listen any more is given the time that SIGTERM gets.
  void tell(const Notice& notice, std::span<const int> fds = {}) {
    Status told = sandbox::send_notice(run_.sandbox.channel.get(), notice, fds, MSG_DONTWAIT);
    bool deaf = !told && told.error().err == EAGAIN;
    bool wants_end =
        notice.id == kMainCommand && (notice.value == SIGTERM || notice.value == SIGHUP);
    if (deaf && !wants_end && notice.value != SIGWINCH)
      start_deadline(Outcome{Outcome::Kind::lost});
  }

  void start_deadline(Outcome outcome) {
    if (deadline_ != 0) return;
    deadline_ = clock::monotonic() + kGraceNanoseconds;
    outcome_ = outcome;
  }

  SupervisedRun run_;
  std::vector<Client> clients_;
  uint32_t next_id_ = 1;
  int64_t deadline_ = 0;
  bool ended_ = false;
  Outcome outcome_;
};

}  // namespace

int Outcome::exit_status() const {
  switch (kind) {
    case Kind::exited:
      return value;
    case Kind::signaled:
      return 128 + value;
    case Kind::cannot_run:
      return value == ENOENT ? 127 : 126;
    case Kind::lost:
      return 125;
  }
  return 125;
}

Result<Fd> take_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (int signal : kForwarded)
    sigaddset(&set, signal);
  if (sigprocmask(SIG_BLOCK, &set, nullptr) < 0) return fail_errno("cannot block signals");
  ::signal(SIGPIPE, SIG_IGN);
  // A caller who ignores it would have our children vanish without a status.
  ::signal(SIGCHLD, SIG_DFL);
  Fd signals(signalfd(-1, &set, SFD_CLOEXEC));
  if (!signals) return fail_errno("cannot take signals");
  return signals;
}

Outcome supervise(SupervisedRun run) { return Supervisor(std::move(run)).run(); }

}  // namespace ringwall::session
