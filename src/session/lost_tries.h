// In a run without any network nobody is there who could hear of tries to reach something. The
// kernel counts them all the same.
#pragma once

#include <sys/types.h>

#include <string_view>

namespace ringwall::session {

// Of what the kernel says of a network namespace (/proc/net/snmp and snmp6): packets that had
// nowhere to go, and questions for a name that found no resolver on the loopback.
bool shows_lost_tries(std::string_view counters);

// In the network of this process, while it lives.
bool has_lost_tries(pid_t process);

}  // namespace ringwall::session
