#include "review/apply_counts.h"

#include <string_view>
#include <unordered_set>

namespace ringwall::review {
namespace {

using Paths = std::unordered_set<std::string_view>;

// Of a renaming of which one half is meant, that half is an addition or a deletion.
void count_these(const ApplyTree& tree, const Paths& these, ChangeCounts& counts) {
  Paths left;  // old names of whole renamings
  for (const ApplyItem& item : tree.items) {
    bool is_whole = these.contains(item.change.path) && these.contains(item.change.renamed_from);
    if (is_whole) left.insert(item.change.renamed_from);
  }
  for (const ApplyItem& item : tree.items) {
    if (!these.contains(item.change.path)) continue;
    changes::Change change = item.change;
    if (!these.contains(change.renamed_from)) change.renamed_from.clear();
    change.is_renamed_away &= left.contains(change.path);
    count_change(change, counts);
  }
}

}  // namespace

ChangeCounts count_chosen(const std::vector<ApplyTree>& trees) {
  ChangeCounts counts;
  for (const ApplyTree& tree : trees) {
    Paths chosen;
    for (const ApplyItem& item : tree.items) {
      if (item.is_chosen) chosen.insert(item.change.path);
    }
    count_these(tree, chosen, counts);
  }
  return counts;
}

ChangeCounts count_done(const std::vector<ApplyTree>& trees, const Applied& applied) {
  ChangeCounts counts;
  for (const ApplyTree& tree : trees) {
    Paths done;
    for (const AppliedTree& one : applied.trees) {
      for (const changes::StepReport& step : one.report) {
        bool is_done = step.outcome == changes::Outcome::done && one.tree.path == tree.tree.path;
        if (is_done) done.insert(step.path);
      }
    }
    count_these(tree, done, counts);
  }
  return counts;
}

}  // namespace ringwall::review
