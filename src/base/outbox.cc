#include "base/outbox.h"

#include <sys/socket.h>

#include "base/channel.h"

namespace ringwall::channel {

Status Outbox::send_now(const Kept& message) {
  std::vector<int> numbers;
  for (const Fd& fd : message.fds)
    numbers.push_back(fd.get());
  return channel::send(socket_, message.bytes, numbers, MSG_DONTWAIT);
}

Status Outbox::send(std::string_view bytes, std::vector<Fd> fds) {
  kept_.push_back({std::string(bytes), std::move(fds)});
  return flush();
}

Status Outbox::flush() {
  while (!kept_.empty()) {
    Status sent = send_now(kept_.front());
    // Too many descriptors on their way count as a full channel too.
    bool is_full = !sent && (sent.error().err == EAGAIN || sent.error().err == ETOOMANYREFS);
    if (is_full) return {};
    if (!sent) return sent;
    kept_.pop_front();
  }
  return {};
}

}  // namespace ringwall::channel
