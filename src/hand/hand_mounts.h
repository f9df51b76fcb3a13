// Puts mounts back that a rename or a removal on the host has taken away, from within the sandbox's
// mount namespace. What lies at a path now is taken as it is: whether it may stay was decided
// before.
#pragma once

#include <string>

namespace ringwall::hand {

// Each gives 0, or the errno of what failed: ENOENT if nothing lies there, ELOOP if a link does. A
// mount that still stands is left alone.

// `path` is absolute inside.
int renew_read_only(const std::string& path);

// `mask` is the file that covers; see NewRoot.
int renew_mask(const std::string& path, int mask);

// Covers it only if it is `file` that lies there: something else is no error. EALREADY: a mask
// stands.
int mask_file(const std::string& path, int file, int mask);

// `place` is relative to `behind`, where the hidden copies of the trees are; see NewRoot.
int renew_pin(int behind, const std::string& place, int mask);

}  // namespace ringwall::hand
