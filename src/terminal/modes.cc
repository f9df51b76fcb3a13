#include "terminal/modes.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

namespace ringwall::terminal {

SavedModes::SavedModes() {
  for (int fd = 0; fd < 3 && fd_ < 0; fd++) {
    if (tcgetattr(fd, &modes_) == 0) fd_ = fcntl(fd, F_DUPFD_CLOEXEC, 3);
  }
}

SavedModes::~SavedModes() {
  if (fd_ < 0) return;
  // In the background the kernel would stop us for touching the terminal.
  auto before = signal(SIGTTOU, SIG_IGN);
  // A terminal that is gone needs no modes.
  if (tcgetpgrp(fd_) == getpgrp()) tcsetattr(fd_, TCSADRAIN, &modes_);
  signal(SIGTTOU, before);
  close(fd_);
}

}  // namespace ringwall::terminal
