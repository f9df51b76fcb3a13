// Stands between a socket of the caller's and the inside: the inside gets one end of a fresh pair,
// a process of its own copies bytes both ways. An inherited socket is never passed: it could be
// disconnected and dialled elsewhere, past the network namespace.
#pragma once

#include <span>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace ringwall::processes {

class SocketRelay {
 public:
  // Which of 0 to 2 are sockets; one socket on several of them gets one pair. Returns what the
  // inside gets as 0 to 2.
  Status start(const bool is_socket[3], int stdio[3], std::span<char> start_area);

  // The inside has its ends now: who else holds them keeps the caller from seeing them closed.
  void let_go() { inside_ends_.clear(); }

  // The inside has ended: waits until its last bytes are delivered.
  void finish();

 private:
  std::vector<Fd> inside_ends_;
  Fd going_on_;  // closed when the inside has ended
  pid_t pid_ = -1;
};

}  // namespace ringwall::processes
