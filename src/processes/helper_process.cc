#include "processes/helper_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/processor_turns.h"
#include "sandbox/child.h"
#include "sandbox/helper_walls.h"
#include "sandbox/landlock.h"

namespace ringwall::processes {
namespace {

// What lies on 0 to 2 moves up: those become /dev/null.
bool move_up(std::vector<int>& kept) {
  for (int& fd : kept) {
    if (fd > 2 || fd < 0) continue;
    fd = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    if (fd < 0) return false;
  }
  return true;
}

// Its supervisor decides when it ends, not whoever types Ctrl-C.
void leave_signals_to_supervisor() {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
}

}  // namespace

Result<pid_t> start_helper(HelperRequest request,
                           const std::function<void(std::span<const int>)>& work) {
  pid_t supervisor = getpid();
  int abi = sandbox::probe_landlock_abi();
  pid_t pid = fork();
  if (pid < 0) return fail_errno("cannot start a helper");
  if (pid > 0) return pid;
  leave_signals_to_supervisor();
  if (request.takes_long_turns) take_long_turns();
  sandbox::overwrite_start_area(request.start_area, request.name);
  std::vector<int>& kept = request.kept;
  if (!move_up(kept)) _exit(1);
  Status walled = request.own_walls ? request.own_walls(kept, supervisor)
                                    : sandbox::enter_helper_walls(
                                          {request.who, kept, request.folders, request.looked_at},
                                          supervisor, abi);
  if (walled) work(kept);
  _exit(1);
}

HelperLink& HelperLink::operator=(HelperLink&& other) noexcept {
  std::swap(channel, other.channel);
  std::swap(pid, other.pid);
  return *this;
}

void HelperLink::end() {
  channel.close();
  if (pid <= 0) return;
  kill(pid, SIGKILL);
  waitpid(std::exchange(pid, -1), nullptr, 0);
}

}  // namespace ringwall::processes
