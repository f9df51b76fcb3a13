#include "review/apply_items.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include <algorithm>
#include <unordered_set>

#include "base/path.h"
#include "base/text.h"
#include "changes/attributes.h"
#include "review/bases.h"
#include "review/runs_outside.h"
#include "review/tree_open.h"

namespace ringwall::review {
namespace {

using changes::Change;
using changes::EntryType;
using State = ApplyItem::State;

// "a/b" before "a-b": what lies in a folder follows it at once.
bool comes_before(const std::string& a, const std::string& b) {
  auto [at, other] = std::ranges::mismatch(a, b);
  if (at == a.end() || other == b.end()) return at == a.end() && other != b.end();
  auto rank = [](char c) { return c == '/' ? 0 : static_cast<unsigned char>(c) + 1; };
  return rank(*at) < rank(*other);
}

bool lies_below(const std::string& path, const std::string& folder) {
  return path.size() > folder.size() && path[folder.size()] == '/' && path.starts_with(folder);
}

std::string name_type(const Change& change) {
  if (S_ISSOCK(change.after.raw_type)) return "is a socket";
  if (S_ISCHR(change.after.raw_type) || S_ISBLK(change.after.raw_type)) return "is a device";
  return "is no file, folder, link or fifo";
}

// Overlayfs marks what it has copied from the real tree.
bool was_copied(int upper, const std::string& path) {
  auto entry = open_in_tree(upper, path, O_PATH | O_NOFOLLOW);
  return entry &&
         getxattr(changes::path_of(entry->get()).c_str(), "user.overlay.origin", nullptr, 0) >= 0;
}

// A file that the run has changed, and that somebody has removed from the real tree since. A moved
// file looks the same, so it counts only where something has come or gone since the run began.
bool is_gone_outside(const ApplyTree& tree, const Change& change) {
  if (change.before.exists() || !change.renamed_from.empty()) return false;
  if (change.after.type != EntryType::file && change.after.type != EntryType::folder) return false;
  size_t slash = change.path.rfind('/');
  std::string parent = slash == std::string::npos ? "." : change.path.substr(0, slash);
  struct stat seen;
  auto folder = parent == "." ? Result<Fd>(Fd(openat(tree.real.get(), ".", O_PATH | O_CLOEXEC)))
                              : open_in_tree(tree.real.get(), parent, O_PATH | O_NOFOLLOW);
  bool is_known = folder && fstat(folder->get(), &seen) == 0;
  if (is_known && changes::facts_of(seen).changed <= tree.tree.stamp) return false;
  // In a folder that the run has made nothing can have been removed.
  return is_known && was_copied(tree.upper.get(), change.path);
}

// Whoever may read it is not told by its mode alone, but mostly that is enough.
bool can_be_read(int tree, const std::string& path, const changes::EntryFacts& facts) {
  if (facts.type != EntryType::file || (facts.mode & 0444) == 0444) return true;
  return open_content(tree, path).has_value();
}

// What nobody can look at, before or after: only by its name.
void hold_unread(const ApplyTree& tree, ApplyItem& item) {
  const Change& change = item.change;
  auto hold = [&](std::string why) {
    item.state = State::held;
    item.why = std::move(why);
  };
  if (!can_be_read(tree.real.get(), change.path, change.before))
    return hold("cannot be read here, so that undo could not bring it back");
  if (!can_be_read(tree.upper.get(), change.path, change.after))
    return hold("cannot be read, so that nobody has seen what is in it");
  auto is_this = [&](const Unread& unread) { return unread.path == change.path; };
  if (change.after.type == EntryType::folder && std::ranges::any_of(tree.unread, is_this))
    hold("could not be looked into, so that nobody has seen what is in it");
}

void judge(OutsideLook& outside, const ApplyTree& tree, ApplyItem& item) {
  const Change& change = item.change;
  if (change.after.type == EntryType::other) {
    item.state = State::refused;
    item.why = name_type(change);
  } else if (outside.was_changed(change)) {
    item.state = State::conflict;
    item.why = change.kind == Change::Kind::deleted ? "the run deleted it, and it was changed since"
                                                    : "was changed on both sides";
  } else if (outside.may_have_other_rights(change)) {
    item.state = State::held;
    item.why = "its mode or attributes may have been changed here since the run began: yours stay";
  } else if (is_gone_outside(tree, change)) {
    item.state = State::gone;
    item.why = "the run changed it, and it is gone since";
  }
}

void find_parents(std::vector<ApplyItem>& items) {
  std::vector<size_t> above;
  for (size_t at = 0; at < items.size(); at++) {
    while (!above.empty() && !lies_below(items[at].change.path, items[above.back()].change.path))
      above.pop_back();
    if (!above.empty()) items[at].parent = above.back();
    above.push_back(at);
  }
}

Result<ApplyTree> read_tree(int folder, const Review& review, const ReviewTree& of,
                            const std::vector<std::string>& trees,
                            const files::ProtectedNames& names) {
  ApplyTree tree{of, {}, {}, {}, {}};
  TRY_ASSIGN(tree.real, open_real(of));
  TRY_ASSIGN(tree.upper, open_upper(folder, of));
  TRY_ASSIGN(LayerChanges found, read_tree_changes(folder, review, of));
  tree.unread = std::move(found.unread);
  LayerView view{tree.upper.get(), tree.real.get(), of.path, trees, review.ends};
  std::vector<RunsOutside> outside = find_runs_outside(found.changes, view, names);
  for (Change& change : found.changes)
    tree.items.push_back({std::move(change)});
  OutsideLook outside_look(folder, tree.tree, tree.real.get());
  for (ApplyItem& item : tree.items)
    judge(outside_look, tree, item);
  for (const RunsOutside& each : outside) {
    ApplyItem& item = tree.items[each.change];
    if (item.state != State::free) continue;
    item.state = State::held;
    item.why = each.why;
  }
  std::erase_if(tree.items, [&](const ApplyItem& item) {
    return item.state == State::conflict && outside_look.is_others_alone(item.change);
  });
  for (ApplyItem& item : tree.items)
    if (item.state == State::free) hold_unread(tree, item);
  std::ranges::sort(tree.items, [](const ApplyItem& a, const ApplyItem& b) {
    return comes_before(a.change.path, b.change.path);
  });
  find_parents(tree.items);
  return tree;
}

}  // namespace

std::string path_of(const ApplyTree& tree, const ApplyItem& item) {
  return path::join(tree.tree.path, item.change.path);
}

Result<std::vector<ApplyTree>> read_items(int folder, const Review& review,
                                          const files::ProtectedNames& names) {
  std::vector<std::string> paths;
  for (const ReviewTree& tree : review.trees)
    paths.push_back(tree.path);
  std::vector<ApplyTree> trees;
  for (const ReviewTree& tree : review.trees) {
    TRY_ASSIGN(ApplyTree read, read_tree(folder, review, tree, paths, names));
    trees.push_back(std::move(read));
  }
  return trees;
}

void choose_all(std::vector<ApplyTree>& trees) {
  for (ApplyTree& tree : trees)
    for (ApplyItem& item : tree.items)
      item.is_chosen = item.state == State::free;
}

Status choose_paths(std::vector<ApplyTree>& trees, const std::vector<std::string>& paths) {
  std::unordered_set<std::string> used;
  for (ApplyTree& tree : trees) {
    for (ApplyItem& item : tree.items) {
      std::string path = path_of(tree, item);
      for (const std::string& named : paths) {
        bool is_exact = path == named;
        if (!is_exact && !path::is_beneath(path, named)) continue;
        used.insert(named);
        bool by_name = item.state == State::held || item.state == State::gone;
        item.is_chosen |= item.state == State::free || (is_exact && by_name);
        item.is_named |= is_exact;
      }
    }
  }
  for (const std::string& named : paths) {
    if (!used.contains(named))
      return fail("the review has no change at " + text::quote(named),
                  "see what it has: ringwall diff --stat");
  }
  return {};
}

}  // namespace ringwall::review
