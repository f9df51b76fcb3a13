#include "terminal/player.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>

#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "base/file.h"
#include "terminal/narrow.h"

namespace ringwall::terminal {
namespace {

constexpr int kLongestWait = 60'000;  // milliseconds; longer pauses take several
constexpr size_t kMostAtOnce = 4096;  // of what a terminal takes, so that keys are seen soon
constexpr char kInterrupt = 0x03, kSuspend = 0x1a;

sigset_t ending_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT})
    sigaddset(&set, signal);
  return set;
}

// Opened anew: the shell shares the descriptor, and would not expect writes that do not block.
Fd open_output() {
  Fd output(open("/proc/self/fd/1", O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
  return output ? std::move(output) : Fd(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
}

std::string window_size(Size size) {
  return "\x1b[8;" + std::to_string(size.rows) + ";" + std::to_string(size.columns) + "t";
}

}  // namespace

Status play_at_once(CastReader& reader, int output) {
  bool utf8 = reads_utf8(OwnTerminal::find());  // what it is piped into may show it there
  Filter filter{FilterOptions{}};
  filter.have_keyboard(false);  // whoever reads it there did not ask
  Status played;
  while (true) {
    auto event = reader.next();
    if (!event) played = std::unexpected(event.error());
    if (!event || !*event) break;
    if ((*event)->kind != CastEvent::Kind::output) continue;
    std::string_view shown = filter.pass((*event)->text);
    TRY(file::write_all(output, utf8 ? shown : narrow(shown)));
  }
  TRY(file::write_all(output, sequences_to_leave(filter.modes(), Part::screen)));
  return played;
}

Player::Player(CastReader& reader, const CastHeader& header, const PlayOptions& options)
    : reader_(reader),
      options_(options),
      terminal_(OwnTerminal::find()),
      utf8_(reads_utf8(terminal_)),
      output_(open_output()),
      started_(clock::monotonic()) {
  if (!options_.idle) options_.idle = header.idle;
  sigset_t set = ending_signals();
  sigprocmask(SIG_BLOCK, &set, nullptr);
  signals_ = Fd(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  if (options_.resize_window) pending_ = window_size(header.size);
}

Player::~Player() {
  sigset_t set = ending_signals();
  sigprocmask(SIG_UNBLOCK, &set, nullptr);
}

double Player::now() const { return static_cast<double>(clock::monotonic() - started_) / 1e9; }

Result<int> Player::play() {
  if (terminal_) terminal_->make_raw();
  Status fine;
  while (fine && !stopped_) {
    if (sent_ < pending_.size()) {
      fine = wait(-1);
      continue;
    }
    if (!event_) {
      auto more = read_event();
      if (!more) fine = std::unexpected(more.error());
      if (!more || !*more) break;
    }
    double left = (due_ - now()) * 1000;
    if (paused_at_ || left > 0) {
      fine =
          wait(paused_at_ ? -1 : static_cast<int>(std::min<double>(std::ceil(left), kLongestWait)));
      continue;
    }
    if (event_->kind == CastEvent::Kind::output) {
      uint64_t asked = filter_.queries();
      filter_.have_keyboard(has_keyboard());
      pending_ = filter_.pass(event_->text);
      if (!utf8_) pending_ = narrow(pending_);
      if (filter_.queries() != asked) asked_at_ = clock::monotonic();
    }
    if (event_->kind == CastEvent::Kind::resize && options_.resize_window)
      pending_ = window_size(event_->size);
    sent_ = 0;
    event_.reset();
  }
  leave_terminal();
  if (!fine) return std::unexpected(fine.error());
  return signal_;
}

// False at the end.
Result<bool> Player::read_event() {
  TRY_ASSIGN(event_, reader_.next());
  if (!event_) return false;
  double pause = std::max(event_->seconds - position_, 0.0);
  if (options_.idle) pause = std::min(pause, *options_.idle);
  position_ = std::max(position_, event_->seconds);
  due_ += pause / options_.speed;
  return true;
}

// For keys, signals, and the terminal if it has not taken all yet.
Status Player::wait(int milliseconds) {
  bool writes = sent_ < pending_.size() && !paused_at_;
  bool reads = terminal_ && terminal_->is_raw();
  pollfd waits[] = {{signals_.get(), POLLIN, 0},
                    {reads ? terminal_->fd() : -1, POLLIN, 0},
                    {writes ? output_.get() : -1, POLLOUT, 0}};
  if (poll(waits, std::size(waits), milliseconds) < 0) {
    return errno == EINTR ? Status{} : fail_errno("cannot wait for the terminal");
  }
  if (waits[0].revents != 0) take_signal();
  if (waits[1].revents != 0) TRY(take_keys());
  if (waits[2].revents != 0) TRY(write_pending());
  return {};
}

Status Player::write_pending() {
  ssize_t count =
      write(output_.get(), pending_.data() + sent_, std::min(pending_.size() - sent_, kMostAtOnce));
  if (count < 0 && errno != EAGAIN && errno != EINTR)
    return fail_errno("cannot write to the terminal");
  if (count > 0) sent_ += static_cast<size_t>(count);
  return {};
}

void Player::take_signal() {
  signalfd_siginfo info;
  if (read(signals_.get(), &info, sizeof info) != sizeof info) return;
  signal_ = static_cast<int>(info.ssi_signo);
  stopped_ = true;
}

// Answers of the terminal to queries in the recording arrive here too; they are no keys.
Status Player::take_keys() {
  char buffer[256];
  ssize_t count = read(terminal_->fd(), buffer, sizeof buffer);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return {};
  if (count <= 0) {
    stopped_ = true;  // the terminal is gone
    return {};
  }
  std::string_view bytes(buffer, static_cast<size_t>(count));
  answers_.take(bytes);
  if (bytes == "\x1b") return {};  // the key of that name
  if (bytes.find(kSuspend) != bytes.npos) suspend();
  while (const Token* token = keys_.next(bytes)) {
    if (token->kind == Token::Kind::control && token->character == kInterrupt) {
      signal_ = SIGINT;
      stopped_ = true;
    }
    if (token->kind != Token::Kind::text) continue;
    for (char key : token->text) {
      if (key == 'q') stopped_ = true;
      if (key == ' ') toggle_pause();
    }
  }
  return {};
}

void Player::toggle_pause() {
  if (paused_at_) {
    due_ += now() - *paused_at_;
    paused_at_.reset();
  } else {
    paused_at_ = now();
  }
}

// Blocking, since what is not written now is never written; but not for ever.
void Player::leave_terminal() {
  std::string last = sequences_to_leave(filter_.modes(), has_keyboard() ? Part::all : Part::screen);
  if (has_keyboard() && filter_.modes().makes_reports()) asked_at_ = clock::monotonic();
  size_t done = 0;
  pollfd ready{output_.get(), POLLOUT, 0};
  while (done < last.size() && poll(&ready, 1, 1000) > 0) {
    ssize_t count = write(output_.get(), last.data() + done, last.size() - done);
    if (count < 0 && errno != EAGAIN && errno != EINTR) break;
    if (count > 0) done += static_cast<size_t>(count);
  }
  if (!terminal_ || !terminal_->is_raw()) return;
  if (!expects_answers()) return terminal_->restore();
  drain_answers(*terminal_, answers_, filter_.status_queries());
  terminal_->restore_and_forget_keys();
}

bool Player::has_keyboard() const { return terminal_ && terminal_->is_raw(); }

bool Player::expects_answers() const {
  bool recently = asked_at_ != 0 && clock::monotonic() - asked_at_ < kAnswersWithin;
  return recently || answers_.awaits(filter_.status_queries());
}

void Player::suspend() {
  double before = now();
  leave_terminal();
  kill(0, SIGTSTP);  // as the kernel does: not for a group that nobody could continue
  if (terminal_) terminal_->make_raw();
  pending_.insert(sent_,
                  sequences_to_enter(filter_.modes(), has_keyboard() ? Part::all : Part::screen));
  if (!paused_at_) due_ += now() - before;
}

}  // namespace ringwall::terminal
