// In a run without any network nobody is there who could hear of tries to reach something. The
// kernel counts them all the same.
#pragma once

#include <sys/types.h>

#include <string_view>

#include "base/fd.h"

namespace ringwall::session {

// Of what the kernel says of a network namespace (/proc/net/snmp and snmp6): packets that had
// nowhere to go, and questions for a name that found no resolver on the loopback.
bool shows_lost_tries(std::string_view counters);

// In the network of a process, which must live when this begins and may be gone when it is asked.
class LostTries {
 public:
  void watch(pid_t process);
  bool were_made() const;

 private:
  Fd counters_[2];
};

}  // namespace ringwall::session
