#include "base/process.h"

#include <poll.h>

#include <cerrno>

#include "base/fd.h"
#include "base/syscalls.h"

namespace ringwall::process {

bool is_running(pid_t pid) {
  if (pid <= 0) return false;
  Fd process(sys::pidfd_open(pid, 0));
  if (!process) return errno != ESRCH;
  pollfd ended{process.get(), POLLIN, 0};
  return poll(&ended, 1, 0) != 1;
}

}  // namespace ringwall::process
