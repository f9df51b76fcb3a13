// The terminal of one command inside: a pty of the sandbox's own devpts, made by pid 1, so that its
// name is there inside and the caller's terminal is not.
#pragma once

#include <sys/ioctl.h>
#include <termios.h>

#include "base/fd.h"
#include "base/result.h"

namespace ringwall::sandbox {

struct TerminalRequest {
  termios modes{};  // the caller's, so that it feels like the caller's
  winsize size{};
  bool stdio[3] = {};      // which of 0 to 2 are the terminal
  bool foreground = true;  // false: not before it reads from the terminal
};

struct Pty {
  Fd master;
  Fd slave;
};

Result<Pty> open_pty(const TerminalRequest& request);

}  // namespace ringwall::sandbox
