// Assembles the new root from the plan's mounts and enters it.
//
// The new root is an empty tmpfs attached at "/": lookups from the process's own root stay below
// it, so sources are still found by their host paths, and pivot_root(".", ".") swaps the two.
// Targets are looked up beneath the new root without following any symlink: a tree that is mounted
// early may be changing at this moment under another sandbox's hands.
#pragma once

#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "sandbox/callers_trees.h"
#include "sandbox/plan.h"

namespace ringwall::sandbox {

struct NewRoot {
  Fd folder;
  // For the hand, which renews mounts later. No process inside can name what these hold open.
  Fd behind;                // the hidden folder: copies of the trees to pin in
  Fd mask;                  // the file that masks are made of
  std::vector<Fd> sockets;  // in the order of the mounts of that kind
};

Result<NewRoot> assemble_root(const std::vector<Mount>& mounts, const OpenedTrees& opened);

// From here on nothing outside the new root can be named.
Status enter_root(Fd root);

}  // namespace ringwall::sandbox
