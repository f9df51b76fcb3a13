// What can be asked about a process of which only the number is known.
#pragma once

#include <sys/types.h>

namespace ringwall::process {

// False once it has ended, even while nobody has collected its status yet: a signal still reaches
// such a one. True if it cannot be found out.
bool is_running(pid_t pid);

}  // namespace ringwall::process
