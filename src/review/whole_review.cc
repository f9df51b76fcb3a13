#include "review/whole_review.h"

#include "base/path.h"

namespace ringwall::review {
namespace {

using changes::Change;
using changes::EntryType;

void count(const Change& change, ChangeCounts& counts) {
  const changes::EntryFacts& facts = change.after.exists() ? change.after : change.before;
  if (facts.type == EntryType::folder || change.is_renamed_away) return;
  if (!change.renamed_from.empty()) {
    counts.renamed++;
    return;
  }
  counts.added += change.kind == Change::Kind::added ? 1 : 0;
  counts.changed += change.kind == Change::Kind::changed ? 1 : 0;
  counts.deleted += change.kind == Change::Kind::deleted ? 1 : 0;
  counts.bytes += change.after.size;
}

}  // namespace

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
    one.outside = find_runs_outside(one.found.changes,
                                    {one.upper.get(), one.real.get(), tree.path, paths}, names);
    all.push_back(std::move(one));
  }
  return all;
}

std::string shown_path(const Review& review, const ReviewTree& tree, const std::string& path) {
  return tree.path == review.workspace ? path : path::join(tree.path, path);
}

std::string git_folder_of(const std::string& path, const changes::EntryFacts& facts) {
  std::string whole = "/" + path + (facts.type == EntryType::folder ? "/" : "");
  size_t at = whole.find("/.git/");
  return at == std::string::npos ? std::string() : path.substr(0, at + 4);
}

ChangeCounts count_changes(const std::vector<ReviewedTree>& trees) {
  ChangeCounts counts;
  for (const ReviewedTree& tree : trees) {
    for (const Change& change : tree.found.changes)
      count(change, counts);
  }
  return counts;
}

}  // namespace ringwall::review
