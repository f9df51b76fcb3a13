#include "base/slow_reader.h"

#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <cerrno>

namespace ringwall {
namespace {

constexpr suseconds_t kMomentMicroseconds = 20'000;

// A write that blocks is interrupted. To open the descriptor anew without blocking is not ours to
// do where it belongs to another user, and the flag itself would be everybody's who shares it.
class Interruption {
 public:
  Interruption() {
    struct sigaction wake {};
    wake.sa_handler = [](int) {};  // without SA_RESTART
    sigaction(SIGALRM, &wake, &action_);
    sigset_t alarm;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    sigprocmask(SIG_UNBLOCK, &alarm, &mask_);
    set(kMomentMicroseconds);
  }
  ~Interruption() {
    set(0);
    sigprocmask(SIG_SETMASK, &mask_, nullptr);
    sigaction(SIGALRM, &action_, nullptr);
  }
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

 private:
  // Again and again: the first may come before the call.
  static void set(suseconds_t microseconds) {
    itimerval timer{{0, microseconds}, {0, microseconds}};
    setitimer(ITIMER_REAL, &timer, nullptr);
  }

  struct sigaction action_ {};
  sigset_t mask_{};
};

bool would_wait(int err) { return err == EAGAIN || err == EINTR; }

}  // namespace

ssize_t write_what_fits(int fd, std::string_view bytes) {
  size_t done = 0;
  while (done < bytes.size()) {
    pollfd room{fd, POLLOUT, 0};
    if (poll(&room, 1, 0) <= 0) break;
    // A pipe that has room has it for this much, unless another writer is quicker.
    std::string_view piece = bytes.substr(done, PIPE_BUF);
    ssize_t count = send(fd, piece.data(), piece.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count < 0 && errno == ENOTSOCK) {
      Interruption soon;
      count = write(fd, piece.data(), piece.size());
      if (count < 0 && !would_wait(errno)) return -1;
    }
    if (count < 0 && !would_wait(errno)) return -1;
    if (count <= 0) break;
    done += static_cast<size_t>(count);
  }
  return static_cast<ssize_t>(done);
}

void SlowReader::tell(std::string_view bytes) {
  if (is_gone_) return;
  kept_ += bytes;
  flush();
}

void SlowReader::flush() {
  if (kept_.empty() || is_gone_) return;
  ssize_t count = write_what_fits(fd_, kept_);
  if (count > 0) kept_.erase(0, static_cast<size_t>(count));
  if (count >= 0) return;
  is_gone_ = true;
  kept_.clear();
}

}  // namespace ringwall
