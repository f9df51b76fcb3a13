// Messages on their way over a channel to somebody who may be slow: what does not fit is kept, in
// order, until there is room.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace ringwall::channel {

class Outbox {
 public:
  explicit Outbox(int socket = -1) : socket_(socket) {}

  // An error: the other end is gone.
  Status send(std::string_view bytes, std::vector<Fd> fds = {});
  Status flush();
  bool is_empty() const { return kept_.empty(); }
  size_t size() const { return kept_.size(); }

 private:
  struct Kept {
    std::string bytes;
    std::vector<Fd> fds;
  };
  Status send_now(const Kept& message);

  int socket_;
  std::deque<Kept> kept_;
};

}  // namespace ringwall::channel
