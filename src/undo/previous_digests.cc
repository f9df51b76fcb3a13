#include "undo/previous_digests.h"

namespace ringwall::undo {

PreviousDigests::PreviousDigests(const ManifestTree& tree) : clock_(tree.clock) {
  by_inode_.reserve(tree.entries.size());
  for (const SavedEntry& entry : tree.entries) {
    if (entry.kept == Kept::content) by_inode_.emplace(entry.inode, &entry);
  }
}

const SavedEntry* PreviousDigests::find(const SavedEntry& entry) const {
  auto found = by_inode_.find(entry.inode);
  if (found == by_inode_.end()) return nullptr;
  const SavedEntry& before = *found->second;
  // Who was changed in the same tick of the clock in which it was read may have been changed once
  // more in it, and have the same times.
  bool same = before.size == entry.size && before.modified == entry.modified &&
              before.changed == entry.changed && before.changed < clock_;
  return same ? &before : nullptr;
}

}  // namespace ringwall::undo
