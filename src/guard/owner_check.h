// Whose sandbox a process is: the guard obeys nobody but its owner.
#pragma once

#include <sys/types.h>

#include "base/fd.h"
#include "base/result.h"

namespace ringwall::guard {

struct Sandbox {
  pid_t pid = -1;  // of its pid 1, as we see it
  Fd pidfd;
  uint32_t process_namespace = 0;  // its number
};

// `pidfd` must be of pid 1 of a process namespace that belongs, like its mount namespace, to a user
// namespace of `owner`. Ours are none of anybody's.
Result<Sandbox> check_owner(Fd pidfd, uid_t owner);

}  // namespace ringwall::guard
