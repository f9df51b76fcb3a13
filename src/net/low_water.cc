#include "net/low_water.h"

#include <sys/socket.h>

namespace ringwall::net {
namespace {

constexpr int kHigh = 256 << 10;
constexpr uint64_t kLookAt = 2 << 20;  // bytes between two looks at the clock
// Nanoseconds for them: what is awaited comes within half a millisecond then.
constexpr int64_t kFast = 4'000'000;

}  // namespace

void LowWater::note(int socket, uint64_t bytes, int64_t (*now)()) {
  bytes_ += bytes;
  if (bytes_ < kLookAt) return;
  int64_t before = since_;
  since_ = now();
  bytes_ = 0;
  set(socket, since_ - before < kFast);
}

void LowWater::lower(int socket) {
  bytes_ = 0;
  since_ = 0;
  set(socket, false);
}

void LowWater::set(int socket, bool high) {
  if (high == is_high_) return;
  int least = high ? kHigh : 1;
  // The kernel looks anew whether enough is there, and tells. One that cannot do it stays as it is.
  bool done = setsockopt(socket, SOL_SOCKET, SO_RCVLOWAT, &least, sizeof least) == 0;
  is_high_ = high && done;
}

}  // namespace ringwall::net
