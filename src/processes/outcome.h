// How a command inside ended, and the exit status that says so.
#pragma once

namespace ringwall::processes {

struct Outcome {
  enum class Kind { exited, signaled, timed_out, cannot_run, lost } kind = Kind::lost;
  int value = 0;  // exit status, signal, or errno; of one that was lost: not 0 if it was told why

  // As a shell would say it: 126 or 127 if it could not be run, 128 + signal if it was killed; 124
  // if its time was over, as timeout(1) does.
  int exit_status() const;
};

Outcome outcome_of(int wait_status);

}  // namespace ringwall::processes
