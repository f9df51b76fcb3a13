// Folders and links that stay in their place although the tree around them can be changed.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "sandbox/plan.h"

namespace ringwall::sandbox {

// The copy, in the hidden folder, of each tree that holds pins.
std::map<std::string, std::string> copies_to_pin_in(const std::vector<Mount>& mounts);

// `behind` is the hidden folder, `mask` the file that masks are made of.
Status put_pins(const std::vector<Mount>& mounts, int root, int behind, int mask);

Result<Fd> clone_mask(int mask);

}  // namespace ringwall::sandbox
