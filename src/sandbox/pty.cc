#include "sandbox/pty.h"

#include <fcntl.h>
#include <stdlib.h>

namespace ringwall::sandbox {

Result<Pty> open_pty(const TerminalRequest& request) {
  Pty pty;
  pty.master = Fd(open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK));
  if (!pty.master) return fail_errno("cannot open a pty");
  if (unlockpt(pty.master.get()) < 0) return fail_errno("cannot unlock the pty");
  pty.slave = Fd(ioctl(pty.master.get(), TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!pty.slave) return fail_errno("cannot open the pty's other side");
  if (tcsetattr(pty.slave.get(), TCSANOW, &request.modes) < 0 ||
      ioctl(pty.slave.get(), TIOCSWINSZ, &request.size) < 0) {
    return fail_errno("cannot set up the pty");
  }
  return pty;
}

}  // namespace ringwall::sandbox
