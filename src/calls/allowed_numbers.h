// The end of a filter that knows a list of system calls: found by halves, not one by one. The
// kernel tries a filter with every number there is when it is installed, which a helper's start
// waits for.
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <vector>

namespace ringwall::calls {

// The number of the call is what was loaded last. Allows those of `numbers`, in any order; gives
// `otherwise` to all others.
void allow_numbers(std::vector<sock_filter>& code, std::vector<int> numbers, uint32_t otherwise);

}  // namespace ringwall::calls
