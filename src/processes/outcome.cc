#include "processes/outcome.h"

#include <sys/wait.h>

#include <cerrno>

namespace ringwall::processes {

Outcome outcome_of(int wait_status) {
  if (WIFSIGNALED(wait_status)) return {Outcome::Kind::signaled, WTERMSIG(wait_status)};
  return {Outcome::Kind::exited, WEXITSTATUS(wait_status)};
}

int Outcome::exit_status() const {
  switch (kind) {
    case Kind::exited:
      return value;
    case Kind::signaled:
      return 128 + value;
    case Kind::timed_out:
      return 124;
    case Kind::cannot_run:
      return value == ENOENT ? 127 : 126;
    case Kind::lost:
      return 125;
  }
  return 125;
}

}  // namespace ringwall::processes
