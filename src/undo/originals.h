// What a transaction is about to replace or delete is kept. Where the undo folder lies on the
// tree's filesystem, the transaction keeps it in its journal, and then it is taken from there
// (undo/take_originals.h). Else it goes into the store before anything is touched: if there is no
// room for it, nothing is begun. When the transaction is done, its report says what became of each
// path.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "changes/entry.h"

namespace ringwall::undo {

struct Original {
  std::string path;  // relative to its tree
  changes::EntryFacts now;
};
struct OriginalsIn {
  std::string path;  // of the tree
  int tree = -1;     // -1: it is not there any more
  std::vector<Original> entries = {};
  // What is replaced stays in the journal and is taken from there. Files with other names, and
  // those of other owners, are copied all the same.
  bool is_taken = false;
};

// Writes the manifest of an entry of the history. What it names is on the disk, or in the tree
// until it is taken (then the transaction syncs). What cannot be read is in it with why; the errno
// is ENOSPC or EDQUOT if there is no room.
Status keep_originals(int undo, int folder, const std::vector<OriginalsIn>& trees);

// A transaction that is done; without a journal nothing was to be done there.
struct DoneIn {
  int tree = -1;
  int journal = -1;
};
// Writes the outcome of the entry. One for each tree of the manifest.
Status note_done(int folder, const std::vector<DoneIn>& trees);

}  // namespace ringwall::undo
