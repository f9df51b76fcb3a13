#include "changes/closed_file.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "base/own_namespace.h"
#include "changes/attributes.h"

namespace ringwall::changes {
namespace {

constexpr int kHow = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;

// A child that shares our table of descriptors opens it and puts it in the place of `slot`.
Result<Fd> open_by_child(int place) {
  Fd slot(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!slot) return fail_errno("cannot open /dev/null");
  std::string path = path_of(place);
  auto child = static_cast<pid_t>(syscall(SYS_clone, SIGCHLD | CLONE_FILES, 0, 0, 0, 0));
  if (child < 0) return fail_errno("cannot start a child");
  if (child == 0) {
    int opened = enter_own_namespace() ? ::open(path.c_str(), kHow) : -1;
    bool is_put = opened >= 0 && dup3(opened, slot.get(), O_CLOEXEC) >= 0;
    if (opened >= 0) ::close(opened);
    _exit(is_put ? 0 : 1);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return fail_errno("cannot wait for a child");
  }
  if (status == 0) return slot;
  errno = EACCES;
  return fail_errno("cannot read a file");
}

}  // namespace

Result<Fd> open_to_read(int place) {
  struct stat seen;
  if (fstat(place, &seen) < 0) return fail_errno("cannot look at a file");
  if (!S_ISREG(seen.st_mode)) return fail("is no ordinary file");
  Fd opened(::open(path_of(place).c_str(), kHow));
  if (opened) return opened;
  if (errno == EACCES && seen.st_uid == geteuid()) return open_by_child(place);
  return fail_errno("cannot read a file");
}

}  // namespace ringwall::changes
