#include "review/whole_review.h"

#include "base/path.h"

namespace ringwall::review {
namespace {

using changes::Change;
using changes::EntryType;

}  // namespace

void count_change(const Change& change, ChangeCounts& counts) {
  const changes::EntryFacts& facts = change.after.exists() ? change.after : change.before;
  if (change.is_renamed_away) return;
  if (facts.type == EntryType::folder || change.is_time_alone) {
    counts.folders += facts.type == EntryType::folder ? 1 : 0;
    counts.times += facts.type == EntryType::folder ? 0 : 1;
    return;
  }
  if (!change.renamed_from.empty()) {
    counts.renamed++;
    return;
  }
  counts.added += change.kind == Change::Kind::added ? 1 : 0;
  counts.changed += change.kind == Change::Kind::changed ? 1 : 0;
  counts.deleted += change.kind == Change::Kind::deleted ? 1 : 0;
  counts.bytes += change.after.size;
}

Result<std::vector<ReviewedTree>> read_whole_review(int folder, const Review& review,
                                                    const files::ProtectedNames& names) {
  std::vector<std::string> paths;
  for (const ReviewTree& tree : review.trees)
    paths.push_back(tree.path);
  std::vector<ReviewedTree> all;
  for (const ReviewTree& tree : review.trees) {
    ReviewedTree one{.tree = tree, .upper = {}, .real = {}, .found = {}, .outside = {}};
    TRY_ASSIGN(one.upper, open_upper(folder, tree));
    TRY_ASSIGN(one.real, open_real(tree));
    TRY_ASSIGN(one.found, read_tree_changes(folder, review, tree));
    LayerView view{one.upper.get(), one.real.get(), tree.path, paths, review.ends};
    one.outside = find_runs_outside(one.found.changes, view, names);
    all.push_back(std::move(one));
  }
  return all;
}

std::string shown_path(const Review& review, const ReviewTree& tree, const std::string& path) {
  return tree.path == review.workspace ? path : path::join(tree.path, path);
}

GitFold fold_git(const Change& change) {
  const changes::EntryFacts& facts = change.after.exists() ? change.after : change.before;
  std::string whole = "/" + change.path + (facts.type == EntryType::folder ? "/" : "");
  size_t at = whole.find("/.git/");
  if (at == std::string::npos) return {};
  std::string folder = change.path.substr(0, at + 4);
  std::string objects = folder + "/objects";
  if (!change.after.exists())
    return change.path.starts_with(objects + "/") ? GitFold{objects, true} : GitFold{};
  bool is_plain = facts.type == EntryType::file || facts.type == EntryType::folder;
  bool is_program = facts.type == EntryType::file && (facts.mode & 0111) != 0;
  bool was_other = change.before.exists() && change.before.type != facts.type;
  return is_plain && !is_program && !was_other ? GitFold{folder, false} : GitFold{};
}

ChangeCounts count_changes(const std::vector<ReviewedTree>& trees) {
  ChangeCounts counts;
  for (const ReviewedTree& tree : trees) {
    for (const Change& change : tree.found.changes)
      count_change(change, counts);
  }
  return counts;
}

}  // namespace ringwall::review
