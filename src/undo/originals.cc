#include "undo/originals.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/clock.h"
#include "base/fd.h"
#include "base/file.h"
#include "changes/attributes.h"
#include "changes/closed_file.h"
#include "changes/transaction.h"
#include "changes/tree_folders.h"
#include "undo/manifest.h"
#include "undo/outcome.h"
#include "undo/store.h"

namespace ringwall::undo {
namespace {

using changes::EntryFacts;
using changes::EntryType;
using changes::StepReport;

bool is_room_error(int err) { return err == ENOSPC || err == EDQUOT; }

// Since it was looked at just now. What differs from what the transaction expects is kept all the
// same: the transaction finds the conflict.
bool was_changed(int file, const SavedEntry& entry) {
  struct stat seen;
  return fstat(file, &seen) < 0 || !is_untouched(entry, entry_of(entry.path, seen));
}

// Of a folder.
void keep_attributes(int parent, const std::string& name, SavedEntry& entry) {
  auto folder = file::open_beneath(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW);
  auto found = folder ? changes::read_attributes(folder->get()) : std::unexpected(folder.error());
  if (!found) return;
  entry.attributes = std::move(*found);
  entry.kept = Kept::attributes;
}

class Keeping {
 public:
  Keeping(Store store, const OriginalsIn& in)
      : store_(std::move(store)), folders_(in.tree), is_taken_(in.is_taken) {}

  Result<SavedEntry> keep(const Original& original) {
    SavedEntry entry;
    auto found = folders_.find(original.path);
    struct stat seen;
    bool is_there = found && fstatat(found->folder, found->name, &seen, AT_SYMLINK_NOFOLLOW) == 0;
    if (is_there) {
      entry = entry_of(original.path, seen);
    } else {
      entry.path = original.path;
      entry.type = original.now.type;
    }
    if (!is_there || entry.type != original.now.type) {
      entry.type = original.now.type;
      entry.kept = entry.type == EntryType::folder ? Kept::none : Kept::changed;
    } else if (is_taken_ && entry.type == EntryType::file && is_ours_alone(seen)) {
      entry.kept = Kept::unread;  // until it is taken
    } else if (entry.type == EntryType::file) {
      TRY_ASSIGN(entry.kept, keep_content(*found, entry));
    } else if (entry.type == EntryType::link) {
      keep_link(*found, entry);
    } else if (entry.type == EntryType::folder) {
      keep_attributes(found->folder, found->name, entry);
    } else if (entry.type == EntryType::other) {
      entry.kept = Kept::special;
    }
    return entry;
  }

 private:
  Result<Kept> keep_content(const changes::TreeFolders::Place& at, SavedEntry& entry) {
    auto place = file::open_beneath(at.folder, at.name, O_PATH | O_NOFOLLOW);
    auto file = place ? changes::open_to_keep(place->get()) : std::unexpected(place.error());
    if (!file) return Kept::unreadable;
    entry.attributes = std::move(file->attributes);
    int content = file->content.get();
    auto digest = store_.put(content, entry.size, [&] { return !was_changed(content, entry); });
    if (!digest && is_room_error(digest.error().err)) return std::unexpected(digest.error());
    if (!digest) return digest.error().err == ESTALE ? Kept::changed : Kept::unreadable;
    entry.digest = *digest;
    return Kept::content;
  }

  static bool is_ours_alone(const struct stat& seen) {
    return seen.st_nlink == 1 && seen.st_uid == geteuid();
  }

  static void keep_link(const changes::TreeFolders::Place& at, SavedEntry& entry) {
    char text[PATH_MAX];
    ssize_t length = readlinkat(at.folder, at.name, text, sizeof text);
    entry.kept = length < 0 ? Kept::unreadable : Kept::link;
    if (length > 0) entry.link.assign(text, static_cast<size_t>(length));
  }

  Store store_;
  changes::TreeFolders folders_;
  bool is_taken_;
};

Result<ManifestTree> keep_tree(int undo, const OriginalsIn& in) {
  ManifestTree tree;
  tree.path = in.path;
  struct stat top;
  if (in.tree < 0 || fstat(in.tree, &top) < 0) return tree;
  tree.device = top.st_dev;
  tree.inode = top.st_ino;
  TRY_ASSIGN(Store store, Store::open(undo));
  Keeping keeping(std::move(store), in);
  for (const Original& original : in.entries) {
    TRY_ASSIGN(SavedEntry entry, keeping.keep(original));
    tree.entries.push_back(std::move(entry));
  }
  std::sort(tree.entries.begin(), tree.entries.end(),
            [](const auto& a, const auto& b) { return lies_before(a.path, b.path); });
  return tree;
}

Status note_step(int tree, const StepReport& step, uint32_t index, Outcome& outcome) {
  Touched touched{index, Touched::Kind::changed, {}};
  TRY_ASSIGN(EntryFacts now, changes::look_at(tree, step.path));
  touched.after.path = step.path;
  touched.after.type = now.type;
  touched.after.mode = now.mode;
  touched.after.uid = geteuid();
  touched.after.gid = getegid();
  touched.after.inode = now.inode;
  touched.after.size = now.size;
  touched.after.modified = now.modified;
  touched.after.changed = now.changed;
  if (now.type == EntryType::folder) keep_attributes(tree, step.path, touched.after);
  if (!now.exists() && !step.before.exists()) return {};
  if (!step.before.exists()) touched.kind = Touched::Kind::added;
  if (!now.exists()) touched.kind = Touched::Kind::deleted;
  touched.was_folder = !now.exists() && step.before.type == changes::EntryType::folder;
  outcome.touched.push_back(std::move(touched));
  return {};
}

}  // namespace

Status keep_originals(int undo, int folder, const std::vector<OriginalsIn>& trees) {
  Manifest manifest;
  for (const OriginalsIn& in : trees) {
    TRY_ASSIGN(ManifestTree tree, keep_tree(undo, in));
    manifest.trees.push_back(std::move(tree));
  }
  TRY(write_manifest(folder, manifest));
  // What is replaced may be gone from the disk at once. A transaction that keeps it syncs this too.
  bool is_synced = std::ranges::all_of(trees, &OriginalsIn::is_taken);
  if (!is_synced && syncfs(folder) < 0) return fail_errno("cannot sync what is kept");
  return {};
}

Status note_done(int folder, const std::vector<DoneIn>& trees) {
  TRY_ASSIGN(Manifest manifest, read_manifest(folder));
  Outcome outcome{clock::wall_seconds(), true};
  for (size_t i = 0; i < trees.size(); i++) {
    const DoneIn& in = trees[i];
    auto clock = in.tree >= 0 ? changes::read_clock_of(in.tree) : Result<int64_t>(0);
    outcome.clocks.push_back(clock.value_or(0));
    if (in.journal < 0 || in.tree < 0) continue;
    TRY_ASSIGN(changes::JournalState state, changes::look_at_journal(in.journal));
    if (state != changes::JournalState::reported) continue;
    TRY_ASSIGN(changes::Report report, changes::read_report(in.journal));
    for (const StepReport& step : report) {
      // Also what could not be put back to its place: it is in the store.
      bool is_other = step.outcome == changes::Outcome::done || !step.kept.empty();
      if (is_other) TRY(note_step(in.tree, step, static_cast<uint32_t>(i), outcome));
    }
  }
  std::sort(outcome.touched.begin(), outcome.touched.end(), [](const auto& a, const auto& b) {
    return a.tree != b.tree ? a.tree < b.tree : lies_before(a.after.path, b.after.path);
  });
  outcome.unkept = count_unkept(manifest, outcome.touched);
  std::vector<int> folders;
  for (const DoneIn& in : trees)
    folders.push_back(in.tree);
  outcome.indexes = note_indexes(outcome.touched, folders);
  return write_outcome(folder, outcome);
}

}  // namespace ringwall::undo
