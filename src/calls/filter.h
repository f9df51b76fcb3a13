// Installs the system-call wall that the build compiled from rules.cc.
#pragma once

#include <linux/filter.h>

#include <span>

#include "base/result.h"

namespace ringwall::calls {

std::span<const sock_filter> syscall_filter();

// From here on this process and all below it make no call outside the list. Needs no_new_privs.
Status install_syscall_filter();

}  // namespace ringwall::calls
