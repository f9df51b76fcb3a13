// The jobs of a session inside: process groups that its shell has made.
#pragma once

#include <sys/types.h>

namespace ringwall::sandbox {

// SIGHUP to everybody in the session of this leader: what was started with nohup goes on.
void hang_up_session(pid_t leader);

}  // namespace ringwall::sandbox
