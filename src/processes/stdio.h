// Descriptors 0, 1 and 2 of a new process inside, judged one by one: a terminal is relayed, a
// socket becomes a relayed pair, pipes and files pass.
#pragma once

#include <optional>

#include "base/fd.h"
#include "base/result.h"
#include "processes/socket_relay.h"
#include "sandbox/pty.h"
#include "terminal/own_terminal.h"

namespace ringwall::processes {

struct Stdio {
  int fds[3] = {0, 1, 2};  // /dev/null where a terminal stands in
  std::optional<sandbox::TerminalRequest> terminal;
  bool is_socket[3] = {};
  SocketRelay relay;

  // Moves what is to be 2 inside away from our own 2, until `let_go`.
  Status move_errors();
  void let_go() { moved_.close(); }

  // In the process that supervises: the relay ends with it.
  Status start_socket_relay(std::span<char> start_area) {
    return relay.start(is_socket, fds, start_area);
  }

  Stdio() = default;
  Stdio(const Stdio&) = delete;
  Stdio& operator=(const Stdio&) = delete;
  ~Stdio();

 private:
  friend Status judge_stdio(Stdio&, const std::optional<terminal::OwnTerminal>&, bool);
  int null_ = -1;
  Fd moved_;
};

// `own` is the caller's terminal, if there is one. `landlock` says whether that wall will stand.
Status judge_stdio(Stdio& stdio, const std::optional<terminal::OwnTerminal>& own, bool landlock);

// The terminal of a run that nobody looks at yet: all of 0 to 2.
sandbox::TerminalRequest unseen_terminal(const std::optional<terminal::OwnTerminal>& own);

}  // namespace ringwall::processes
