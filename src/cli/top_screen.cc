#include "cli/top_screen.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>

#include "base/layout.h"
#include "cli/output.h"
#include "terminal/narrow.h"

namespace ringwall::cli {
namespace {

using Look = DrawnLine::Look;

constexpr const char* kInstead = "for one picture: ringwall top --once, or --json";
constexpr int kLeavePatience = 1000;  // milliseconds, for a terminal that was stopped by Ctrl-S

// Another screen than the shell's, lines that do not wrap (characters may be wider than they are
// counted), no cursor, and pasted text marked as such.
constexpr std::string_view kEnter = "\x1b[?1049h\x1b[?7l\x1b[?25l\x1b[?2004h\x1b[m\x1b[2J";
// The first byte ends a sequence that was written in part.
constexpr std::string_view kLeave = "\x18\x1b[?2026l\x1b[?2004l\x1b[m\x1b[?7h\x1b[?25h\x1b[?1049l";
// Where it is understood, all between the two is shown at once.
constexpr std::string_view kBegin = "\x1b[?2026h", kEnd = "\x1b[?2026l";

}  // namespace

TopScreen::TopScreen(terminal::OwnTerminal terminal, Fd output)
    : terminal_(std::move(terminal)),
      output_(std::move(output)),
      has_colours_(wants_colours(stdout)),
      reads_utf8_(terminal::reads_utf8(terminal::OwnTerminal::find())) {}

Result<TopScreen> TopScreen::open() {
  if (isatty(STDOUT_FILENO) == 0) return fail("standard output is no terminal", kInstead);
  const char* name = getenv("TERM");
  if (name == nullptr || *name == '\0' || std::string_view(name) == "dumb")
    return fail("TERM names no terminal that has a full screen", kInstead);
  auto terminal = terminal::OwnTerminal::find();
  if (!terminal) return fail("there is no terminal", kInstead);
  TRY(terminal->wait_for_foreground());
  auto output = terminal->open_output();
  // It belongs to somebody else (after `su`): what was given to us does.
  Fd fd = output ? std::move(*output) : Fd(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
  if (!fd) return fail_errno("cannot open the terminal");
  return TopScreen(std::move(*terminal), std::move(fd));
}

void TopScreen::enter() {
  terminal_.make_raw();
  is_shown_ = terminal_.is_raw() && terminal_.in_foreground();
  if (!is_shown_) return;
  painted_.clear();
  pending_ += kEnter;
  flush();
}

void TopScreen::leave() {
  if (!is_shown_) return;
  is_shown_ = false;
  pending_ = kLeave;
  pollfd ready{output_.get(), POLLOUT, 0};
  while (!pending_.empty() && !is_gone_ && terminal_.in_foreground() &&
         poll(&ready, 1, kLeavePatience) > 0)
    flush();
  pending_.clear();
  terminal_.restore_and_forget_keys();
}

void TopScreen::suspend() {
  leave();
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  kill(0, SIGTSTP);
  sigprocmask(SIG_UNBLOCK, &stop, nullptr);
  // Here we are stopped, unless nobody is there to let us go on.
  sigprocmask(SIG_BLOCK, &stop, nullptr);
  enter();
}

void TopScreen::flush() {
  while (!pending_.empty() && !is_gone_) {
    ssize_t count = write(output_.get(), pending_.data(), pending_.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count < 0) {
      is_gone_ = true;
      return;
    }
    pending_.erase(0, static_cast<size_t>(count));
  }
}

std::string_view TopScreen::sequence_for(Look look) const {
  switch (look) {
    case Look::bold:
      return "\x1b[1m";
    case Look::dim:
      return "\x1b[2m";
    case Look::chosen:
      return "\x1b[7m";
    case Look::asks:
      return has_colours_ ? "\x1b[33m" : "\x1b[1m";
    case Look::refused:
      return has_colours_ ? "\x1b[31m" : "";
    case Look::plain:
      break;
  }
  return "";
}

void TopScreen::paint(std::vector<DrawnLine> lines) {
  if (!is_shown_ || !pending_.empty()) return;
  terminal::Size now = size();
  std::string frame;
  if (now != painted_size_ || painted_.size() != lines.size()) {
    frame = "\x1b[m\x1b[2J";
    painted_.assign(lines.size(), {});
    painted_size_ = now;
  }
  for (size_t i = 0; i < lines.size(); i++) {
    if (lines[i] == painted_[i]) continue;
    const DrawnLine& line = lines[i];
    frame += "\x1b[" + std::to_string(i + 1) + ";1H";
    frame += sequence_for(line.look);
    frame += line.text;
    frame += "\x1b[m";
    // Not behind the last column, where it would take away the last character.
    if (layout::columns(line.text) < now.columns) frame += "\x1b[K";
  }
  painted_ = std::move(lines);
  if (frame.empty()) return;
  pending_ =
      std::string(kBegin) + (reads_utf8_ ? frame : terminal::narrow(frame)) + std::string(kEnd);
  flush();
}

}  // namespace ringwall::cli
