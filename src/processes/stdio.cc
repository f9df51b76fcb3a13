#include "processes/stdio.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox/descriptors.h"
#include "sandbox/wall.h"
#include "terminal/size.h"

namespace ringwall::processes {
namespace {

winsize to_kernel(terminal::Size size) {
  terminal::Size known = terminal::usable(size);
  return {known.rows, known.columns, 0, 0};
}

// In a pipeline the keyboard may be meant for the program at its end, a pager for one: ours gets it
// once it reads from the terminal.
bool feeds_a_pipe() {
  struct stat facts;
  return fstat(1, &facts) == 0 && (S_ISFIFO(facts.st_mode) || S_ISSOCK(facts.st_mode));
}

// What a terminal has after `stty sane`.
termios sane_modes() {
  termios modes{};
  modes.c_iflag = BRKINT | ICRNL | IXON | IMAXBEL | IUTF8;
  modes.c_oflag = OPOST | ONLCR;
  modes.c_cflag = CS8 | CREAD | B38400;
  modes.c_lflag = ISIG | ICANON | IEXTEN | ECHO | ECHOE | ECHOK | ECHOCTL | ECHOKE;
  constexpr struct {
    int place;
    cc_t key;
  } kKeys[] = {{VINTR, 3},  {VQUIT, 28},    {VERASE, 127}, {VKILL, 21},
               {VEOF, 4},   {VMIN, 1},      {VSTART, 17},  {VSTOP, 19},
               {VSUSP, 26}, {VREPRINT, 18}, {VWERASE, 23}, {VLNEXT, 22}};
  for (auto [place, key] : kKeys)
    modes.c_cc[place] = key;
  return modes;
}

// What a terminal of the inside starts with. In the back, the modes are those of whoever is in
// front: a shell that reads keys one by one, for one.
termios modes_for_inside(const terminal::OwnTerminal& own) {
  return own.in_foreground() ? own.modes() : sane_modes();
}

}  // namespace

Stdio::~Stdio() {
  if (null_ >= 0) close(null_);
}

Status Stdio::move_errors() {
  for (int& fd : fds) {
    if (fd != 2) continue;
    if (!moved_) moved_ = Fd(fcntl(2, F_DUPFD_CLOEXEC, 3));
    if (!moved_) return fail_errno("cannot move a descriptor");
    fd = moved_.get();
  }
  return {};
}

Status judge_stdio(Stdio& stdio, const std::optional<terminal::OwnTerminal>& own, bool landlock) {
  bool keeps_callers_terminal = sandbox::is_taken_away(sandbox::Wall::own_terminal);
  for (int i = 0; i < 3; i++) {
    if (sandbox::is_taken_away(sandbox::Wall::descriptors)) continue;
    TRY_ASSIGN(sandbox::Descriptor kind, sandbox::judge_descriptor(i, i, landlock));
    stdio.is_socket[i] = kind == sandbox::Descriptor::socket;
    if (kind != sandbox::Descriptor::terminal || !own || keeps_callers_terminal) continue;
    if (!stdio.terminal) {
      bool foreground = own->in_foreground() && !feeds_a_pipe();
      stdio.terminal.emplace(modes_for_inside(*own), to_kernel(own->size()));
      stdio.terminal->foreground = foreground;
    }
    if (stdio.null_ < 0) stdio.null_ = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (stdio.null_ < 0) return fail_errno("cannot open /dev/null");
    stdio.terminal->stdio[i] = true;
    stdio.fds[i] = stdio.null_;
  }
  return {};
}

sandbox::TerminalRequest unseen_terminal(const std::optional<terminal::OwnTerminal>& own) {
  sandbox::TerminalRequest request{own ? modes_for_inside(*own) : sane_modes(),
                                   to_kernel(own ? own->size() : terminal::Size{})};
  for (bool& is_terminal : request.stdio)
    is_terminal = true;
  return request;
}

}  // namespace ringwall::processes
