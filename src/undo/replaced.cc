#include "undo/replaced.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/clock.h"
#include "base/file.h"
#include "changes/attributes.h"
#include "changes/transaction.h"
#include "undo/store.h"

namespace ringwall::undo {
namespace {

using changes::EntryFacts;
using changes::EntryType;
using changes::StepReport;

SavedEntry entry_of_facts(const std::string& path, const EntryFacts& facts) {
  SavedEntry entry;
  entry.path = path;
  entry.type = facts.type;
  entry.mode = facts.mode;
  entry.uid = geteuid();
  entry.gid = getegid();
  entry.inode = facts.inode;
  entry.size = facts.size;
  entry.modified = facts.modified;
  entry.changed = facts.changed;
  return entry;
}

Kept keep_content(Store& store, int old, const std::string& name, SavedEntry& entry) {
  auto file = file::open_beneath(old, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (!file) return Kept::unreadable;
  auto attributes = changes::read_attributes(file->get());
  if (attributes) entry.attributes = std::move(*attributes);
  auto digest = store.put(file->get(), entry.size, [] { return true; });
  if (!digest) return Kept::no_room;
  entry.digest = *digest;
  return Kept::content;
}

// What lay at a path before the transaction.
SavedEntry keep_old(Store& store, int old, const StepReport& step) {
  SavedEntry entry = entry_of_facts(step.path, step.before);
  struct stat seen;
  bool is_there = !step.kept.empty() && old >= 0 &&
                  fstatat(old, step.kept.c_str(), &seen, AT_SYMLINK_NOFOLLOW) == 0;
  if (is_there) {
    entry.uid = seen.st_uid;
    entry.gid = seen.st_gid;
  }
  if (entry.type == EntryType::folder) return entry;
  if (entry.type == EntryType::file) {
    entry.kept = is_there ? keep_content(store, old, step.kept, entry) : Kept::unread;
  } else if (entry.type == EntryType::link) {
    char text[PATH_MAX];
    ssize_t length = is_there ? readlinkat(old, step.kept.c_str(), text, sizeof text) : -1;
    entry.kept = length < 0 ? Kept::unreadable : Kept::link;
    if (length > 0) entry.link.assign(text, static_cast<size_t>(length));
  } else {
    entry.kept = Kept::special;
  }
  return entry;
}

class Replaced {
 public:
  Replaced(Store store, Outcome& outcome) : store_(std::move(store)), outcome_(outcome) {}

  Status take_tree(const ReplacedIn& in, uint32_t index) {
    ManifestTree& tree = manifest_.trees.emplace_back();
    tree.path = in.path;
    struct stat top;
    if (in.tree >= 0 && fstat(in.tree, &top) == 0) {
      tree.device = top.st_dev;
      tree.inode = top.st_ino;
    }
    auto clock = in.tree >= 0 ? changes::read_clock_of(in.tree) : Result<int64_t>(0);
    outcome_.clocks.push_back(clock.value_or(0));
    if (in.journal < 0 || in.tree < 0) return {};
    TRY_ASSIGN(changes::Report report, changes::read_report(in.journal));
    auto old = file::open_beneath(in.journal, "old", O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    for (const StepReport& step : report) {
      if (step.outcome == changes::Outcome::done)
        TRY(take_step(in.tree, old ? old->get() : -1, step, index));
    }
    std::sort(tree.entries.begin(), tree.entries.end(),
              [](const auto& a, const auto& b) { return lies_before(a.path, b.path); });
    return {};
  }

  Manifest& manifest() { return manifest_; }

 private:
  Status take_step(int tree, int old, const StepReport& step, uint32_t index) {
    Touched touched{index, Touched::Kind::changed, {}};
    TRY_ASSIGN(EntryFacts now, changes::look_at(tree, step.path));
    touched.after = entry_of_facts(step.path, now);
    if (!step.before.exists()) touched.kind = Touched::Kind::added;
    if (!now.exists()) touched.kind = Touched::Kind::deleted;
    if (!now.exists() && !step.before.exists()) return {};
    if (step.before.exists()) manifest_.trees[index].entries.push_back(keep_old(store_, old, step));
    outcome_.touched.push_back(std::move(touched));
    return {};
  }

  Store store_;
  Outcome& outcome_;
  Manifest manifest_;
};

}  // namespace

Status write_replaced(int undo, int folder, const std::vector<ReplacedIn>& trees) {
  TRY_ASSIGN(Store store, Store::open(undo));
  Outcome outcome{clock::wall_seconds(), true};
  Replaced replaced(std::move(store), outcome);
  for (size_t i = 0; i < trees.size(); i++)
    TRY(replaced.take_tree(trees[i], static_cast<uint32_t>(i)));
  std::sort(outcome.touched.begin(), outcome.touched.end(), [](const auto& a, const auto& b) {
    return a.tree != b.tree ? a.tree < b.tree : lies_before(a.after.path, b.after.path);
  });
  outcome.unkept = count_unkept(replaced.manifest(), outcome.touched);
  TRY(write_manifest(folder, replaced.manifest()));
  return write_outcome(folder, outcome);
}

}  // namespace ringwall::undo
