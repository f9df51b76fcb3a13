#include "net/flow.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "base/clock.h"

namespace ringwall::net {
namespace {

constexpr uint64_t kFairShare = 4 << 20;  // bytes before others get their turn
constexpr size_t kCopied = 8 << 10;       // bytes at once where there is no pipe

bool is_only_for_now() { return errno == EAGAIN || errno == EINTR; }

uint64_t rest(const uint64_t* sent, uint64_t most) {
  if (sent == nullptr) return UINT64_MAX;
  return *sent >= most ? 0 : most - *sent;
}

}  // namespace

std::string words_of_limit(std::string_view limit) {
  return "more was sent than " + std::string(limit) + " allows";
}

const char* Budget::tightest() const {
  bool is_total = rest(sent_in_all, most_in_all) < rest(sent_to_name, most_to_name);
  return is_total ? "upload_total" : "upload_limit";
}

uint64_t Budget::left() const {
  return std::min(rest(sent_to_name, most_to_name), rest(sent_in_all, most_in_all));
}

void Budget::count(uint64_t bytes) const {
  if (sent_to_name != nullptr) *sent_to_name += bytes;
  if (sent_in_all != nullptr) *sent_in_all += bytes;
  if (sent_here != nullptr) *sent_here += bytes;
}

bool Flow::put_first(std::string_view bytes) {
  if (bytes.size() > budget_.left()) return false;
  budget_.count(bytes.size());
  front_.append(bytes);
  return true;
}

Flow::Move Flow::send_front() {
  ssize_t count = send(to_, front_.data() + front_sent_, front_.size() - front_sent_,
                       MSG_NOSIGNAL | MSG_DONTWAIT);
  if (count < 0) return is_only_for_now() ? Move::blocked : Move::broken;
  front_sent_ += static_cast<size_t>(count);
  if (front_sent_ < front_.size()) return Move::moved;
  std::string().swap(front_);  // gives the memory back
  front_sent_ = 0;
  return Move::moved;
}

Flow::Move Flow::empty_pipe(PipePool& pipes) {
  unsigned flags = SPLICE_F_MOVE | SPLICE_F_NONBLOCK | (more_follows_ ? SPLICE_F_MORE : 0);
  ssize_t count = splice(pipe_.out.get(), nullptr, to_, nullptr, in_pipe_, flags);
  if (count < 0) return is_only_for_now() ? Move::blocked : Move::broken;
  in_pipe_ -= static_cast<size_t>(count);
  if (in_pipe_ == 0) pipes.give_back(std::exchange(pipe_, {}));
  return Move::moved;
}

// The kernel holds the last part back while it was told that more follows.
void Flow::push_the_rest() {
  if (!std::exchange(more_follows_, false)) return;
  int on = 1;
  (void)setsockopt(to_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

Flow::Step Flow::fill_by_copy(uint64_t most, bool& got_some) {
  char buffer[kCopied];
  ssize_t count = recv(from_, buffer, std::min<uint64_t>(most, sizeof buffer), MSG_DONTWAIT);
  if (count < 0) return is_only_for_now() ? Step::blocked : Step::broken;
  got_some = true;
  if (count == 0) {
    input_ended_ = true;
    return Step::blocked;
  }
  budget_.count(static_cast<uint64_t>(count));
  front_.assign(buffer, static_cast<size_t>(count));
  if (allowance_ != UINT64_MAX) allowance_ -= static_cast<uint64_t>(count);
  return Step::blocked;
}

Flow::Step Flow::fill(PipePool& pipes, bool& got_some) {
  uint64_t most = std::min(allowance_, budget_.left());
  if (most == 0) {
    char byte;
    ssize_t count = recv(from_, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    if (count < 0) return is_only_for_now() ? Step::blocked : Step::broken;
    if (count > 0) return Step::over_budget;
    input_ended_ = got_some = true;
    return Step::blocked;
  }
  pipe_ = pipes.take();
  if (!pipe_) return fill_by_copy(most, got_some);
  size_t wanted = std::min<uint64_t>(most, pipe_.room);
  ssize_t count =
      splice(from_, nullptr, pipe_.in.get(), nullptr, wanted, SPLICE_F_MOVE | SPLICE_F_NONBLOCK);
  int err = errno;
  if (count <= 0) pipes.give_back(std::exchange(pipe_, {}));
  errno = err;
  if (count < 0) return is_only_for_now() ? Step::blocked : Step::broken;
  got_some = true;
  if (count == 0) {
    input_ended_ = true;
    return Step::blocked;
  }
  in_pipe_ = static_cast<size_t>(count);
  more_follows_ = in_pipe_ == wanted && wanted < allowance_;
  low_water_.note(from_, in_pipe_, clock::monotonic);
  budget_.count(in_pipe_);
  if (allowance_ != UINT64_MAX) allowance_ -= in_pipe_;
  return Step::blocked;
}

Flow::Step Flow::pump(PipePool& pipes) {
  if (has_ended_) return Step::ended;
  uint64_t moved = 0;
  while (true) {
    if (!front_.empty() || in_pipe_ > 0) {
      moved += front_.size() - front_sent_ + in_pipe_;
      Move move = !front_.empty() ? send_front() : empty_pipe(pipes);
      if (move == Move::broken) return Step::broken;
      if (move == Move::blocked) return Step::blocked;
      moved -= front_.size() - front_sent_ + in_pipe_;
      continue;
    }
    if (input_ended_) {
      has_ended_ = true;
      shutdown(to_, SHUT_WR);
      return Step::ended;
    }
    if (allowance_ == 0) {
      hurry();  // whoever judges what follows waits for its first byte
      return Step::used_up;
    }
    if (moved >= kFairShare) return Step::yields;
    bool got_some = false;
    Step step = fill(pipes, got_some);
    if (step != Step::blocked) return step;
    if (!got_some) {
      push_the_rest();
      return Step::blocked;
    }
  }
}

}  // namespace ringwall::net
