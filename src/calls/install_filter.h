// Puts a seccomp filter over this process. It stays until the end, and whatever is started later
// has it too.
#pragma once

#include <linux/filter.h>

#include <span>
#include <string_view>

#include "base/result.h"

namespace ringwall::calls {

// Needs no_new_privs. `which` is for the error: "the hand's system-call filter".
Status install_filter(std::span<const sock_filter> code, std::string_view which);

}  // namespace ringwall::calls
