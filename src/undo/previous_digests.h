// What the last look at a tree has found: a file that nobody has touched since need not be read.
#pragma once

#include <string>
#include <unordered_map>

#include "undo/manifest.h"

namespace ringwall::undo {

class PreviousDigests {
 public:
  PreviousDigests() = default;
  // `tree` must outlive it.
  explicit PreviousDigests(const ManifestTree& tree);

  // What was kept of it then, null if it must be read.
  const SavedEntry* find(const SavedEntry& entry) const;

 private:
  std::unordered_map<uint64_t, const SavedEntry*> by_inode_;
  int64_t clock_ = 0;
};

}  // namespace ringwall::undo
