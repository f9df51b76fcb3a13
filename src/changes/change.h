// One thing that is different in a tree: what lay there, what lies there now.
#pragma once

#include <string>
#include <vector>

#include "changes/entry.h"

namespace ringwall::changes {

struct Change {
  enum class Kind { added, changed, deleted };
  Kind kind = Kind::changed;
  std::string path;          // relative to the tree; any bytes but NUL
  EntryFacts before, after;  // type none: nothing there
  // For the person: this is what was deleted at that path, with the same content.
  std::string renamed_from = {};
  // Of a deletion: it is told as a renaming elsewhere.
  bool is_renamed_away = false;
  // Of a change: the time of the last writing is another, and nothing else.
  bool is_time_alone = false;
};

// Sorted by path, folders before what lies in them.
using Changes = std::vector<Change>;

}  // namespace ringwall::changes
