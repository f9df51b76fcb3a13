#include "net/pipe_pool.h"

#include <fcntl.h>
#include <unistd.h>

namespace ringwall::net {
namespace {

constexpr size_t kMostPipes = 192;
// A few wide ones for long streams; the others as the kernel makes them.
constexpr size_t kWidePipes = 8;
constexpr int kWide = 1 << 20;
constexpr int kLeast = 16 << 10;  // narrower ones (the user has too many) are worse than copying

}  // namespace

Pipe PipePool::take() {
  if (!free_.empty()) {
    Pipe pipe = std::move(free_.back());
    free_.pop_back();
    return pipe;
  }
  if (made_ >= kMostPipes || refused_) return {};
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0) return {};
  Pipe pipe{Fd(ends[1]), Fd(ends[0])};
  // As wide as may be: the kernel says how wide it is.
  if (made_ < kWidePipes) (void)fcntl(ends[1], F_SETPIPE_SZ, kWide);
  int room = fcntl(ends[1], F_GETPIPE_SZ);
  if (room < kLeast) {
    refused_ = true;
    return {};
  }
  pipe.room = static_cast<size_t>(room);
  made_++;
  return pipe;
}

void PipePool::give_back(Pipe pipe) { free_.push_back(std::move(pipe)); }

void PipePool::drop(Pipe pipe) {
  if (pipe) made_--;
}

}  // namespace ringwall::net
