// Where the guard's programs are pinned: a bpf filesystem of our own, so that they outlive us.
#pragma once

#include <string>

#include "base/result.h"

namespace ringwall::guard {

// A new folder for this guard in `root`, which is mounted if it is not yet.
Result<std::string> make_pins(const std::string& root);

// Programs of guards that ended before us go when nobody is in their scopes any more. True: some
// are left.
bool remove_abandoned_pins(const std::string& root, const std::string& own);

void remove_pins(const std::string& folder);

}  // namespace ringwall::guard
