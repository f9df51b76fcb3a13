// The supervisor of one run: waits for pid 1, forwards signals, answers the control socket. It
// parses nothing from inside but fixed-size notices.
#pragma once

#include <functional>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "sandbox/launch.h"

namespace ringwall::session {

// How the run's own command ended.
struct Outcome {
  enum class Kind { exited, signaled, cannot_run, lost } kind = Kind::lost;
  int value = 0;  // exit status, signal, or errno

  // As a shell would say it: 126 or 127 if it could not be run, 128 + signal if it was killed.
  int exit_status() const;
};

// Signals that are forwarded are blocked and come by descriptor; before the launch, so that none is
// lost.
Result<Fd> take_signals();

struct SupervisedRun {
  sandbox::Launched sandbox;
  Fd signals;
  Fd control;                     // listening
  std::string description;        // JSON, the answer to `describe`
  bool landlock = false;          // that wall stands
  bool terminal = false;          // one of 0 to 2 is a terminal: stopping stops the supervisor too
  std::function<void()> tidy_up;  // what can be done while the kernel takes the sandbox apart
};

// Returns when the command and everything below it have ended.
Outcome supervise(SupervisedRun run);

}  // namespace ringwall::session
