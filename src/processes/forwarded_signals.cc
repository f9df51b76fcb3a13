#include "processes/forwarded_signals.h"

#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace ringwall::processes {
namespace {

constexpr int kForwarded[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGWINCH,
                              SIGTSTP, SIGCONT, SIGUSR1, SIGUSR2};

// By nohup, or by a script for what it starts in the background. Blocked, it would come all the
// same.
bool is_ignored(int signal) {
  struct sigaction action;
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

Result<Fd> take_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (int signal : kForwarded) {
    if (!is_ignored(signal)) sigaddset(&set, signal);
  }
  if (sigprocmask(SIG_BLOCK, &set, nullptr) < 0) return fail_errno("cannot block signals");
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);  // a limit of the caller's for files: the record cannot be written
  // A caller who ignores it would have our children vanish without a status.
  ::signal(SIGCHLD, SIG_DFL);
  Fd signals(signalfd(-1, &set, SFD_CLOEXEC));
  if (!signals) return fail_errno("cannot take signals");
  return signals;
}

std::optional<int> take_end(int signals) {
  signalfd_siginfo info;
  if (read(signals, &info, sizeof info) != static_cast<ssize_t>(sizeof info)) return std::nullopt;
  auto signal = static_cast<int>(info.ssi_signo);
  bool ends = signal == SIGINT || signal == SIGQUIT || signal == SIGTERM || signal == SIGHUP;
  return ends ? std::optional(signal) : std::nullopt;
}

void stop_with_the_job() {
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  raise(SIGTSTP);
  sigprocmask(SIG_UNBLOCK, &stop, nullptr);
  // Here we are stopped.
  sigprocmask(SIG_BLOCK, &stop, nullptr);
}

}  // namespace ringwall::processes
