// One change as a person reads it: what it is in a few words, and for texts the lines.
#pragma once

#include <string>
#include <vector>

#include "changes/change.h"
#include "review/text_diff.h"

namespace ringwall::review {

struct ChangeDiff {
  std::vector<std::string> remarks;  // "mode 0644 -> 0755", "binary, 12K -> 14K"; harmless
  TextDiff text;                     // nothing where there are no lines to compare
  bool is_unshown = false;           // there is a content, and nothing of it is here
};

struct ChangeSides {
  int upper, real;
  bool is_conflict;  // both sides changed it: what lies here now is not what the run began with
  std::optional<std::string> base = {};  // that, if it is known
};

ChangeDiff diff_change(const changes::Change& change, const ChangeSides& sides, DiffBudget& budget);

}  // namespace ringwall::review
