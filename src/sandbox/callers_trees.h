// Trees of the caller's that only the supervisor can open: those of root's runs.
#pragma once

#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "sandbox/plan.h"

namespace ringwall::sandbox {

// Trees that the supervisor opened because the child, an ordinary id, could not; by index of the
// mount.
struct OpenedTrees {
  std::vector<Fd> source;
  std::vector<Fd> upper;
};

// The trees of mounts that are the caller's own, detached and idmapped so that what belongs to the
// owner of each tree's top belongs to `identity` inside. Only for root as caller.
Result<OpenedTrees> open_callers_trees(const std::vector<Mount>& mounts, const Identity& identity);

}  // namespace ringwall::sandbox
