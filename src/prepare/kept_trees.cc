#include "prepare/kept_trees.h"

#include <algorithm>

#include "base/path.h"

namespace ringwall::prepare {

std::vector<KeptTree> trees_to_keep(const GuardedFiles& guarded) {
  std::vector<KeptTree> kept;
  for (const GuardedTree& tree : guarded.trees) {
    bool lies_in_another =
        std::any_of(guarded.trees.begin(), guarded.trees.end(), [&](const GuardedTree& other) {
          return other.writable && other.path != tree.path &&
                 path::is_beneath(tree.path, other.path);
        });
    bool is_known = std::ranges::find(kept, tree.path, &KeptTree::path) != kept.end();
    if (tree.writable && !lies_in_another && !is_known) kept.push_back({tree.path, tree.newest});
  }
  return kept;
}

bool keeps_for_undo(const policy::Policy& policy, const GuardedFiles& guarded) {
  return !policy.undo.off.on && !policy.files.review.on && !trees_to_keep(guarded).empty();
}

}  // namespace ringwall::prepare
