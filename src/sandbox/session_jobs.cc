#include "sandbox/session_jobs.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>

#include "base/fd.h"
#include "base/file.h"

namespace ringwall::sandbox {

void hang_up_session(pid_t leader) {
  Fd all(open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  auto entries = file::list(all.get());
  if (!entries) return;
  for (const file::Entry& entry : *entries) {
    pid_t pid = atoi(entry.name.c_str());
    if (pid > 0 && getsid(pid) == leader) kill(pid, SIGHUP);
  }
}

}  // namespace ringwall::sandbox
