// A run with a terminal: the process that the person started becomes the front end, and the run is
// supervised by another one, in a session of its own, which can go on when the front end leaves.
#pragma once

#include <optional>

#include "prepare/prepare.h"
#include "processes/stdio.h"
#include "session/relay_link.h"
#include "session/run.h"
#include "terminal/own_terminal.h"

namespace ringwall::session {

// Who looks at the terminal of a run when it starts. Empty without a terminal.
struct Attendance {
  Fd front_end;  // a control connection to it
  Fd viewer_socket;
  Fd viewer_output;
  Fd recording;
  RelayedTerminalRequest terminal;
  bool leaves_at_once = false;  // nobody: the front end only waits for the start

  // The relay and the inside have theirs: a run that was left holds nothing of the caller's.
  void let_go() {
    viewer_socket.close();
    viewer_output.close();
    recording.close();
  }
};

// Returns the exit status, in whichever process this is: the front end, or the supervisor, which
// nobody waits for.
int run_attended(const RunHooks& hooks, prepare::Preparation& prepared, processes::Stdio& stdio,
                 std::optional<terminal::OwnTerminal>& own);

// From a prepared run to its exit status, in the process that supervises it.
int launch_and_supervise(const RunHooks& hooks, prepare::Preparation& prepared,
                         processes::Stdio& stdio, Attendance attendance);

int refuse(const RunHooks& hooks, const Error& error);

}  // namespace ringwall::session
