// A pipe whose two ends close by themselves, and with an exec.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/result.h"

namespace ringwall {

struct Pipe {
  Fd read;
  Fd write;
};

inline Result<Pipe> make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) return fail_errno("cannot make a pipe");
  return Pipe{Fd(ends[0]), Fd(ends[1])};
}

}  // namespace ringwall
