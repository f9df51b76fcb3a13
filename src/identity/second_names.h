// Read-only trees of which a file can be written all the same: it has a second name, a hard link,
// outside of them.
#pragma once

#include <string>
#include <vector>

namespace ringwall::identity {

// True if a file of the caller's in one of these trees has a name in none of them, or if they are
// too large to be looked through, or hold a folder that can be entered and not listed. What lies in
// one of the `writable` trees is passed over.
bool has_second_names(const std::vector<std::string>& trees,
                      const std::vector<std::string>& writable);

}  // namespace ringwall::identity
