// Who we are here: pid 1 inside, under all walls, undumpable. We parse nothing but the supervisor's
// messages and trust nothing that a process below us could have changed.
#include "sandbox/init.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <utility>

#include "base/channel.h"
#include "base/program_pages.h"
#include "sandbox/freeze.h"
#include "sandbox/messages.h"
#include "sandbox/session_jobs.h"
#include "sandbox/spawn.h"

namespace ringwall::sandbox {
namespace {

constexpr int kKeepMilliseconds = 20;
constexpr int kLastLookMilliseconds = 2000;
constexpr int kMostRestless = 5;  // times that a pause was not kept

class Init {
 public:
  Init(const ChildInputs& inputs, HandedOut handed_out, Pty pty)
      : inputs_(inputs),
        channel_(inputs.channel.get()),
        handed_out_(std::move(handed_out)),
        pty_(std::move(pty)) {}

  [[noreturn]] void run() {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, nullptr);
    Fd signals(signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!signals) _exit(1);
    take_word_of_exec_stop(inputs_.standing);
    if (Status done = lead_terminal(); !done) refuse_to_start(done.error());
    if (!start_main()) _exit(1);
    close_stdio();
    IdleThrift thrift;
    while (true) {
      pollfd waits[] = {{signals.get(), POLLIN, 0}, {channel_, POLLIN, 0}};
      int ready = poll(waits, 2, thrift.wait_time(pause_.holds() ? kKeepMilliseconds : -1));
      if (ready < 0 && errno != EINTR) _exit(1);
      thrift.after_wait(ready);
      keep_pause();
      if (waits[0].revents != 0) drain(signals.get());
      if (waits[1].revents != 0) take_message();
    }
  }

 private:
  // We lead the session of the terminal and the command is a job of it: a session leader could not
  // be stopped by its own terminal's Ctrl-Z. Keeping the far side open also spares the command the
  // hang-up at its last close.
  Status lead_terminal() {
    if (!inputs_.terminal) return {};
    if (!pty_.slave) {
      TRY_ASSIGN(pty_, open_pty(*inputs_.terminal));
    }
    if (setsid() < 0 || ioctl(pty_.slave.get(), TIOCSCTTY, 0) < 0)
      return fail_errno("cannot lead the terminal's session");
    return {};
  }

  [[noreturn]] void refuse_to_start(const Error& error) {
    Notice notice{MessageType::failed};
    notice.value = error.err;
    notice.wall = static_cast<uint32_t>(Wall::own_terminal);
    snprintf(notice.step, sizeof notice.step, "lead the terminal's session");
    snprintf(notice.detail, sizeof notice.detail, "%s", error.what.c_str());
    (void)send_notice(channel_, notice);  // nobody left to tell if this fails
    _exit(1);
  }

  // Ready comes first: a command that cannot be executed says so before spawn returns.
  bool start_main() {
    Notice ready{MessageType::ready};
    std::vector<int> fds;
    const ForHand& hand = handed_out_.for_hand;
    std::vector<const Fd*> kinds = {&pty_.master, &hand.renames, &hand.behind, &hand.mask};
    for (const Fd& socket : handed_out_.wall)
      kinds.push_back(&socket);
    for (const Fd& socket : handed_out_.served)
      kinds.push_back(&socket);
    for (size_t i = 0; i < kinds.size(); i++) {
      if (!*kinds[i]) continue;
      ready.value |= 1 << i;
      fds.push_back(kinds[i]->get());
    }
    if (!send_notice(channel_, ready, fds)) return false;
    pty_.master.close();
    handed_out_ = {};
    if (inputs_.plan.awaits_start && !may_start()) return false;
    const Plan& plan = inputs_.plan;
    SpawnRequest request{plan.builtin, plan.arguments, plan.working_folder, inputs_.terminal};
    main_ = spawn_at(kMainCommand, request, inputs_.stdio, pty_.slave.get());
    if (main_ < 0) return false;
    children_[main_] = kMainCommand;
    return true;
  }

  // Who enforces rules over us is not there yet when the walls stand.
  bool may_start() {
    auto message = channel::receive(channel_);
    auto notice = message ? parse_notice(message->bytes) : std::unexpected(message.error());
    return notice && notice->type == MessageType::go;
  }

  pid_t spawn_at(uint32_t id, const SpawnRequest& request, const int stdio[3], int terminal) {
    int actual[3] = {stdio[0], stdio[1], stdio[2]};
    for (int i = 0; i < 3; i++) {
      if (request.terminal && request.terminal->stdio[i]) actual[i] = terminal;
    }
    return spawn(inputs_, id, request, actual, request.terminal ? terminal : -1);
  }

  // The descriptors of the main command belong to it alone: a pipe must close when it closes it.
  // What the supervisor had as 0 to 2 may be something else, a relayed socket for one.
  void close_stdio() {
    for (int fd : inputs_.stdio) {
      if (fd > 2) close(fd);
    }
    // The caller's own terminal among them goes here.
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; fd < 3; fd++) {
      if (null < 0 || dup2(null, fd) < 0) close(fd);
    }
    if (null > 2) close(null);
  }

  void drain(int signals) {
    signalfd_siginfo info;
    while (read(signals, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
      // Typed at the terminal before the command had it: only the kernel sends it so. What is typed
      // at the caller's, the supervisor hands on.
      bool is_typed =
          info.ssi_signo == SIGINT || info.ssi_signo == SIGQUIT || info.ssi_signo == SIGTSTP;
      if (pty_.slave && is_typed && info.ssi_code == SI_KERNEL)
        kill(-main_, static_cast<int>(info.ssi_signo));
    }
    reap();  // SIGCHLD or any other: looking costs nothing
  }

  void reap() {
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0) {
      auto child = children_.find(pid);
      if (child == children_.end()) continue;  // an orphan that was handed to us
      if (WIFSTOPPED(status)) {
        tell_stop(child->second, WSTOPSIG(status));
        continue;
      }
      Notice notice{MessageType::exited, child->second, status};
      children_.erase(child);
      // Whoever lost its parent is our child: without any, there is nobody.
      notice.alone = waitid(P_ALL, 0, nullptr, WEXITED | WNOHANG | WNOWAIT) < 0 && errno == ECHILD;
      bool told = send_notice(channel_, notice).has_value();
      if (told && notice.id == kMainCommand && WIFSIGNALED(status)) await_last_look();
      if (notice.id == kMainCommand || !told) _exit(0);
    }
  }

  // The kernel may have killed it for its memory. Where that is counted can go with the last
  // process of a cgroup: the supervisor ends us when it has looked.
  void await_last_look() const {
    pollfd supervisor{channel_, 0, 0};
    (void)poll(&supervisor, 1, kLastLookMilliseconds);
  }

  // A job of the person's shell stops with what it runs; a pause stops what is inside alone.
  void tell_stop(uint32_t id, int signal) {
    if (id != kMainCommand || !pty_.slave || pause_.holds() || freeze_.holds()) return;
    stopped_ = true;
    if (!send_notice(channel_, Notice{MessageType::stopped, id, signal})) _exit(0);
  }

  // In the back, whatever reads from the terminal stops, as it would in a shell. Who was in front
  // is remembered: a shell inside has jobs of its own.
  void resume(bool foreground) {
    if (!pty_.slave) return;
    int terminal = pty_.slave.get();
    pid_t in_front = tcgetpgrp(terminal);
    if (in_front != getpgrp()) last_in_front_ = in_front;
    if (last_in_front_ <= 0 || kill(-last_in_front_, 0) < 0) last_in_front_ = main_;
    tcsetpgrp(terminal, foreground ? last_in_front_ : getpgrp());
    // Only once: an editor draws anew at each.
    if (std::exchange(stopped_, false)) signal_child(kMainCommand, SIGCONT);
  }

  void pause(bool wanted) {
    restless_ = 0;
    if (wanted) reap();  // a stop of before is the person's
    if (wanted && !pause_.holds() && !freeze_.holds()) pause_.stop();
    if (wanted && freeze_.holds()) wants_pause_ = true;
    if (wanted) return;
    wants_pause_ = false;
    if (!pause_.holds()) return;
    if (freeze_.holds()) return freeze_.take_over(pause_);
    pause_.go_on();
    spawn_who_waited();
  }

  // A pause is a limit's, or a person's: who does not keep it is told of.
  void keep_pause() {
    if (!pause_.holds() || pause_.hold() || ++restless_ != kMostRestless) return;
    if (!send_notice(channel_, Notice{MessageType::restless})) _exit(0);
  }

  void freeze(bool wanted) {
    if (wanted) {
      bool all = freeze_.stop();
      if (!send_notice(channel_, Notice{MessageType::frozen, kMainCommand, all})) _exit(0);
      return;
    }
    reap();  // so that the stops are not taken for a person's
    if (std::exchange(wants_pause_, false)) return pause_.take_over(freeze_);
    freeze_.go_on();
    spawn_who_waited();
  }

  bool stands_still() const { return pause_.holds() || freeze_.holds(); }

  // Nobody is started among those who stand: no stop would be soon enough.
  void spawn_who_waited() {
    if (stands_still()) return;
    for (auto& [id, message] : std::exchange(waiting_, {}))
      spawn_further(id, message);
  }

  void take_message() {
    auto message = channel::receive(channel_);
    if (!message || message->bytes.empty()) _exit(1);  // no supervisor, no sandbox
    auto notice = parse_notice(message->bytes);
    if (!notice) _exit(1);
    if (notice->type == MessageType::signal) signal_child(notice->id, notice->value);
    if (notice->type == MessageType::spawn && stands_still()) {
      waiting_[notice->id] = std::move(*message);
    } else if (notice->type == MessageType::spawn) {
      spawn_further(notice->id, *message);
    }
    if (notice->type == MessageType::leave) end_session(notice->id);
    if (notice->type == MessageType::resume) resume(notice->value != 0);
    if (notice->type == MessageType::pause) pause(notice->value != 0);
    if (notice->type == MessageType::freeze) freeze(notice->value != 0);
    if (notice->type == MessageType::make_socket) make_socket(notice->value != 0);
  }

  // For the supervisor, who connects it to a port that is published.
  void make_socket(bool is_ipv6) {
    Fd made(socket(is_ipv6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    int fd = made.get();
    if (!send_notice(channel_, Notice{MessageType::socket}, {&fd, made ? 1u : 0u})) _exit(0);
  }

  // To the whole process group, as a terminal would.
  void signal_child(uint32_t id, int signal) {
    if (ends(signal) && waiting_.erase(id) > 0)
      (void)send_notice(channel_, Notice{MessageType::exited, id, signal});
    for (const auto& [pid, child] : children_) {
      if (child != id) continue;
      if (signal == SIGCONT && stands_still()) {
        (pause_.holds() ? pause_ : freeze_).go_on_with(pid);
      } else if (kill(-pid, signal) < 0) {
        kill(pid, signal);  // it may not lead a group yet
      }
    }
  }

  // What a shell does when its window is closed, and the shell itself may not have been asked to.
  void end_session(uint32_t id) {
    signal_child(id, SIGKILL);
    for (const auto& [leader, child] : children_) {
      if (child == id) hang_up_session(leader);
    }
  }

  static bool ends(int signal) {
    return signal == SIGKILL || signal == SIGTERM || signal == SIGHUP || signal == SIGINT ||
           signal == SIGQUIT;
  }

  void spawn_further(uint32_t id, channel::Message& message) {
    Notice refused{MessageType::cannot_run, id, EINVAL};
    if (message.fds.size() == 4) {
      auto payload = channel::read_memory_file(message.fds[0].get(), kMostSpawnBytes);
      auto request = payload ? decode_spawn_request(*payload) : std::unexpected(payload.error());
      if (request) {
        int stdio[3] = {message.fds[1].get(), message.fds[2].get(), message.fds[3].get()};
        pid_t pid = spawn_with_terminal(id, *request, stdio);
        if (pid > 0) {
          children_[pid] = id;
          return;
        }
        refused.value = errno;
      }
    }
    // A closed channel is seen at the next poll. A front end waits for the end as well.
    (void)send_notice(channel_, refused);
    (void)send_notice(channel_, Notice{MessageType::exited, id, W_EXITCODE(126, 0)});
  }

  pid_t spawn_with_terminal(uint32_t id, const SpawnRequest& request, const int stdio[3]) {
    if (!request.terminal) return spawn_at(id, request, stdio, -1);
    auto pty = open_pty(*request.terminal);
    if (!pty) return -1;
    int master = pty->master.get();
    if (!send_notice(channel_, Notice{MessageType::terminal, id}, {&master, 1})) return -1;
    return spawn_at(id, request, stdio, pty->slave.get());
  }

  const ChildInputs& inputs_;
  int channel_;
  HandedOut handed_out_;
  Pty pty_;  // of the main command
  pid_t last_in_front_ = -1;
  Freeze pause_;                                  // a person's or a limit's
  Freeze freeze_;                                 // the broker's
  std::map<uint32_t, channel::Message> waiting_;  // to be started when all go on
  bool wants_pause_ = false;
  int restless_ = 0;
  bool stopped_ = false;  // the main command, at its terminal
  pid_t main_ = -1;
  std::map<pid_t, uint32_t> children_;
};

}  // namespace

void run_init(const ChildInputs& inputs, HandedOut handed_out, Pty pty) {
  Init(inputs, std::move(handed_out), std::move(pty)).run();
}

}  // namespace ringwall::sandbox
