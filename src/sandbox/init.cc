// Who we are here: pid 1 inside, under all walls, undumpable. We parse nothing but the supervisor's
// messages and trust nothing that a process below us could have changed.
#include "sandbox/init.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>

#include "base/channel.h"
#include "sandbox/messages.h"
#include "sandbox/spawn.h"

namespace ringwall::sandbox {
namespace {

class Init {
 public:
  explicit Init(const ChildInputs& inputs) : inputs_(inputs), channel_(inputs.channel.get()) {}

  [[noreturn]] void run() {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, nullptr);
    Fd signals(signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!signals || !start_main()) _exit(1);
    close_stdio();
    while (true) {
      pollfd waits[] = {{signals.get(), POLLIN, 0}, {channel_, POLLIN, 0}};
      if (poll(waits, 2, -1) < 0 && errno != EINTR) _exit(1);
      if (waits[0].revents != 0) drain(signals.get());
      if (waits[1].revents != 0) take_message();
    }
  }

 private:
  // Ready comes first: a command that cannot be executed says so before spawn returns.
  bool start_main() {
    if (!send_notice(channel_, Notice{MessageType::ready})) return false;
    SpawnRequest request{"", inputs_.plan.arguments, inputs_.plan.working_folder};
    main_ = spawn(inputs_, kMainCommand, request, inputs_.stdio);
    if (main_ < 0) return false;
    children_[main_] = kMainCommand;
    return true;
  }

  // The descriptors of the main command belong to it alone: a pipe must close when it closes it.
  // What the supervisor had as 0 to 2 may be something else, a relayed socket for one.
  void close_stdio() {
    for (int fd : inputs_.stdio) {
      if (fd > 2) close(fd);
    }
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; fd < 3; fd++) {
      if (null < 0 || dup2(null, fd) < 0) close(fd);
    }
    if (null > 2) close(null);
  }

  void drain(int signals) {
    signalfd_siginfo info;
    while (read(signals, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    }
    reap();  // SIGCHLD or any other: looking costs nothing
  }

  void reap() {
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
      auto child = children_.find(pid);
      if (child == children_.end()) continue;  // an orphan that was handed to us
      Notice notice{MessageType::exited, child->second, status};
      children_.erase(child);
      bool told = send_notice(channel_, notice).has_value();
      if (notice.id == kMainCommand || !told) _exit(0);
    }
  }

  void take_message() {
    auto message = channel::receive(channel_);
    if (!message || message->bytes.empty()) _exit(1);  // no supervisor, no sandbox
    auto notice = parse_notice(message->bytes);
    if (!notice) _exit(1);
    if (notice->type == MessageType::signal) signal_child(notice->id, notice->value);
    if (notice->type == MessageType::spawn) spawn_further(notice->id, *message);
  }

  // To the whole process group, as a terminal would.
  void signal_child(uint32_t id, int signal) {
    for (const auto& [pid, child] : children_) {
      if (child == id && kill(-pid, signal) < 0) kill(pid, signal);  // it may not lead a group yet
    }
  }

  void spawn_further(uint32_t id, channel::Message& message) {
    constexpr size_t kMostPayload = 4 << 20;
    Notice refused{MessageType::cannot_run, id, EINVAL};
    if (message.fds.size() == 4) {
      auto payload = channel::read_memory_file(message.fds[0].get(), kMostPayload);
      auto request = payload ? decode_spawn_request(*payload) : std::unexpected(payload.error());
      if (request) {
        int stdio[3] = {message.fds[1].get(), message.fds[2].get(), message.fds[3].get()};
        pid_t pid = spawn(inputs_, id, *request, stdio);
        if (pid > 0) {
          children_[pid] = id;
          return;
        }
        refused.value = errno;
      }
    }
    (void)send_notice(channel_, refused);  // a closed channel is seen at the next poll
  }

  const ChildInputs& inputs_;
  int channel_;
  pid_t main_ = -1;
  std::map<pid_t, uint32_t> children_;
};

}  // namespace

void run_init(const ChildInputs& inputs) { Init(inputs).run(); }

}  // namespace ringwall::sandbox
