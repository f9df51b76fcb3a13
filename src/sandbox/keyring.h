// Leaves the caller's session keyring behind.
#pragma once

#include "base/result.h"

namespace ringwall::sandbox {

// In the supervisor, before the clone: what it joins, the sandbox has.
Status leave_callers_keyring();

}  // namespace ringwall::sandbox
