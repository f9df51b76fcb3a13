// After a transaction what it has replaced lies in its journal, out of the tree. That itself
// becomes a content of the store: nothing is copied, and no room is needed for it.
//
// First the manifest gets the digests and is written to the disk, then the files go to their places
// by renaming. Who comes after one that was killed goes on with what still lies in the journal.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "undo/originals.h"

namespace ringwall::undo {

// What is replaced in this tree can be taken: it lies where the undo folder does, and the kernel
// tells there who writes.
bool can_take(int undo, int tree);

struct TakeOptions {
  // Somebody behind walls may have such a file open, and could open it anew for writing: all are
  // copied.
  bool copies = false;
  std::function<int(std::string_view)> before_act = {};  // for tests, as in transactions
};
// `folder` is that of the act.
Status take_originals(int undo, int folder, const std::vector<DoneIn>& trees,
                      const TakeOptions& options);

}  // namespace ringwall::undo
