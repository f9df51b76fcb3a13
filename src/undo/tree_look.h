// A look at everything that lies in a tree: one call of the kernel for each entry, and none of the
// files is opened. Folders that package managers fill are passed over, and other mounts.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <vector>

#include "base/file_id.h"
#include "base/result.h"
#include "undo/saved_entry.h"

namespace ringwall::undo {

struct LookRequest {
  int tree;
  const std::set<file::Id>& passed_over;  // folders
  size_t expected;                        // entries, if anybody knows; else 0
  // Asked every few entries with how many there are; false ends the look.
  std::function<bool(const std::vector<SavedEntry>&)> goes_on;
};

struct Look {
  // In the order of lies_before; links have their texts. When a folder was changed is looked at
  // after it was read: whoever has changed it by then is seen.
  std::vector<SavedEntry> entries;
  int64_t changed = 0;  // the tree's own folder, when it had been read
  uint64_t closed = 0;  // folders that could not be looked into
  bool ended = true;    // false: goes_on said so
};

// So many are looked at within a few milliseconds: no look at them is put off.
inline constexpr size_t kFewEntries = 2048;

Result<Look> look_at_tree(const LookRequest& request);

}  // namespace ringwall::undo
