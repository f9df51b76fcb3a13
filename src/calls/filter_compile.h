// From the list of system calls to a seccomp program: sorted ranges and a binary search, because
// that loads in 90 us where the program libseccomp makes of the same list takes 450.
#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>

#include <functional>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ringwall::calls {

// The number of a call by its name on this architecture, negative if it has none.
using NumberOf = std::function<int(std::string_view name)>;

Result<std::vector<sock_filter>> compile_syscall_filter(const NumberOf& number_of);

// What the kernel would do with `call` under `program`: for tests, no kernel needed.
uint32_t evaluate_syscall_filter(const std::vector<sock_filter>& program, const seccomp_data& call);

}  // namespace ringwall::calls
