#include "terminal/own_terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "terminal/tracked_modes.h"

namespace ringwall::terminal {

namespace {

std::string path_of(int fd) { return "/proc/self/fd/" + std::to_string(fd); }

}  // namespace

std::optional<OwnTerminal> OwnTerminal::find() {
  for (int fd = 0; fd < 3; fd++) {
    termios modes;
    if (tcgetattr(fd, &modes) < 0) continue;
    Fd own(fcntl(fd, F_DUPFD_CLOEXEC, 3));
    if (!own) continue;
    // Only for writing: the keyboard is the same terminal's.
    if ((fcntl(fd, F_GETFL) & O_ACCMODE) == O_WRONLY) {
      Fd anew(open(path_of(fd).c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC));
      if (anew) own = std::move(anew);
    }
    return OwnTerminal(std::move(own), modes);
  }
  return std::nullopt;
}

bool reads_utf8(const std::optional<OwnTerminal>& terminal) {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* locale = getenv(name);
    if (locale == nullptr || *locale == '\0') continue;
    const char* charset = strchr(locale, '.');
    if (charset == nullptr) break;
    return strncasecmp(charset + 1, "utf", 3) == 0;
  }
  return !terminal || terminal->has_utf8_flag();
}

OwnTerminal::~OwnTerminal() {
  if (fd_) restore();
}

Size OwnTerminal::size() const {
  winsize size{};
  if (ioctl(fd_.get(), TIOCGWINSZ, &size) < 0) return {};
  return {size.ws_row, size.ws_col};
}

bool OwnTerminal::in_foreground() const {
  pid_t in_front = tcgetpgrp(fd_.get());
  // A terminal that controls nobody's jobs is open to everyone.
  return in_front < 0 ? errno == ENOTTY : in_front == getpgrp();
}

bool OwnTerminal::has_keys() const {
  pollfd now{fd_.get(), POLLIN, 0};
  if (poll(&now, 1, 0) <= 0) return false;
  return raw_ || (now.revents & ~POLLIN) != 0;
}

Result<Fd> OwnTerminal::open_output() const {
  Fd output(open(path_of(fd_.get()).c_str(), O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
  if (!output) return fail_errno("cannot open the terminal anew");
  return output;
}

std::string OwnTerminal::resets() const {
  if (raw_) return sequences_to_leave(TrackedModes::unknown());
  // In the back the cursor is the shell's, and stays where it is.
  return "\x1b[?1047l\x1b[?2026l\x1b[?25h\x1b[?5l\x1b[20l\x1b"
         "7\x1b[?69l\x1b[r\x1b"
         "8\x1b[?7h\x1b[4l\x1b(B\x0f\x1b[m";
}

Status OwnTerminal::wait_for_foreground() const {
  if (tcsetattr(fd_.get(), TCSADRAIN, &modes_) == 0) return {};
  return fail_errno("cannot have the terminal");
}

void OwnTerminal::make_raw() {
  if (!in_foreground()) return;
  // Whoever had it last may have changed it since: a shell between suspending and going on.
  termios current;
  if (tcgetattr(fd_.get(), &current) < 0) return;
  bool still_ours = raw_ && (current.c_lflag & ICANON) == 0;
  if (!still_ours) modes_ = current;
  termios raw = modes_;
  cfmakeraw(&raw);
  raw_ = tcsetattr(fd_.get(), TCSADRAIN, &raw) == 0;
}

void OwnTerminal::restore_and_forget_keys() {
  // Not by TCSAFLUSH, which waits for a terminal that was stopped by Ctrl-S.
  if (raw_ && in_foreground()) tcflush(fd_.get(), TCIFLUSH);
  restore();
}

void OwnTerminal::restore() {
  if (!raw_) return;
  raw_ = false;
  // In the background the kernel would stop us for touching the terminal; it is not ours then.
  auto before = signal(SIGTTOU, SIG_IGN);
  if (in_foreground()) tcsetattr(fd_.get(), TCSANOW, &modes_);
  signal(SIGTTOU, before);
}

}  // namespace ringwall::terminal
