// The system call at which a traced task stands, as the kernel will make it: read from its
// registers.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <optional>

namespace ringwall::identity {

struct TracedCall {
  int number = -1;  // as the kernel takes it: of the register, the lower half
  std::array<uint64_t, 6> arguments = {};
  long result = 0;  // once it was made
};

// None if the task is gone.
std::optional<TracedCall> call_of(pid_t task);

// It maps a file for execution, or gives that right to what is mapped.
bool maps_code(const TracedCall& call);

// It opens a file for writing, and makes it if it is not there.
bool makes_file(const TracedCall& call);

// Instead of what it asked for, the task gets this error. False if that could not be done.
bool refuse_call(pid_t task, int err);

}  // namespace ringwall::identity
