// Asks the service manager (systemd, the user's own instance) to put a process into a scope of its
// own, with limits: the one way to a cgroup for somebody who was not given one.
//
// Speaks just enough D-Bus for that one call: the manager is as trusted as the caller is, but its
// answers are checked for length all the same.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "base/result.h"
#include "limits/limits.h"

namespace ringwall::limits {

// The manager's socket, empty if there is none. `runtime` is XDG_RUNTIME_DIR or null.
std::string find_user_manager(uid_t uid, const char* runtime);

struct ScopeRequest {
  std::string unit;  // "ringwall-app-1.scope"
  pid_t process = 0;
  uint64_t memory = kNoLimit;
  uint64_t processes = kNoLimit;
  uint64_t cpu = kNoLimit;  // thousandths of a processor
};

// Returns when the manager has done it, or on the bus when it has taken the request.
Status start_scope(const std::string& socket, const ScopeRequest& request);

// The bytes of the call, for tests.
std::string encode_start_scope(const ScopeRequest& request, uint32_t serial);

}  // namespace ringwall::limits
