#include "sandbox/callers_trees.h"

#include "sandbox/filesystems.h"

namespace ringwall::sandbox {

Result<OpenedTrees> open_callers_trees(const std::vector<Mount>& mounts, const Identity& identity) {
  OpenedTrees opened;
  opened.source.resize(mounts.size());
  opened.upper.resize(mounts.size());
  for (size_t i = 0; i < mounts.size(); i++) {
    const Mount& mount = mounts[i];
    if (!mount.callers_own) continue;
    TRY_ASSIGN(opened.source[i], open_idmapped_tree(mount.source, identity));
    if (mount.kind == Mount::Kind::overlay) {
      TRY_ASSIGN(opened.upper[i], open_idmapped_tree(mount.upper, identity));
    }
  }
  return opened;
}

}  // namespace ringwall::sandbox
