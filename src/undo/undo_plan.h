// What an undo would do: which paths it puts back to what they were before a run, which it takes
// away, and which it leaves alone, and why.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "changes/entry.h"
#include "undo/manifest.h"
#include "undo/outcome.h"
#include "undo/own_times.h"
#include "undo/tree_look.h"

namespace ringwall::undo {

struct UndoWish {
  std::vector<std::string> paths = {};  // absolute; these and what lies below. Empty: everything
  bool added = false;                   // take away what the run added
  std::set<file::Id> passed_over = {};  // folders, such as Ringwall's own
};

struct UndoAct {
  enum class Kind : uint8_t { put_back, take_away };
  Kind kind = Kind::put_back;
  uint32_t tree = 0;
  SavedEntry before;        // what shall lie there; of what is taken away the path alone
  changes::EntryFacts now;  // what lies there
};

struct LeftAlone {
  std::string path;  // absolute
  std::string why;
  bool is_conflict = false;  // somebody has changed it since; naming it puts it back
};

struct UndoPlan {
  std::vector<UndoAct> acts;  // in the order of lies_before, tree by tree
  std::vector<LeftAlone> left;
  uint64_t as_before = 0;  // that need nothing
  uint64_t added = 0;      // that the run added, and that stay
  // Whose ctimes the undo may change: what it touches, and further names of such files.
  std::vector<SeenAsLeft> as_left;
};

// The trees by their paths, as far as they are the same as then.
Result<std::vector<Fd>> open_trees(const Manifest& manifest);

// Without an outcome the run was killed: everything that is not as at its start is its doing, then.
// `own` are those noted with the run.
Result<UndoPlan> plan_undo(const Manifest& manifest, const std::optional<Outcome>& outcome,
                           const std::vector<Fd>& trees, const UndoWish& wish,
                           const OwnTimes& own = {});

}  // namespace ringwall::undo
