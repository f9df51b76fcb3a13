#include "undo/snapshot.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>

#include "base/file.h"
#include "base/path.h"
#include "changes/attributes.h"
#include "undo/previous_digests.h"

namespace ringwall::undo {
namespace {

using changes::EntryType;

// Smaller ones first: they are what a person has written.
constexpr uint64_t kLarge = 1 << 20;

bool is_same_file(const SavedEntry& entry, int file) {
  struct stat seen;
  return fstat(file, &seen) == 0 && is_untouched(entry, entry_of("", seen));
}

bool is_same_folder(const ManifestTree& one, const ManifestTree& other) {
  return one.device == other.device && one.inode == other.inode;
}

SavedEntry as_earlier(SavedEntry entry) {
  if (entry.has_content()) entry.kept = Kept::earlier;
  return entry;
}

bool is_to_be_read(const SavedEntry& entry) {
  return entry.type == EntryType::file && entry.kept == Kept::unread;
}

}  // namespace

Snapshot::Snapshot(const SnapshotRequest& request) : request_(request) {
  sign_.clocks.resize(request.trees.size());
  late_.resize(request.trees.size());
}

bool Snapshot::goes_on() { return request_.look_for_start(sign_); }

Status Snapshot::look() {
  for (const KeeperTree& tree : request_.trees) {
    ManifestTree& made = manifest_.trees.emplace_back();
    size_t index = manifest_.trees.size() - 1;
    made.path = tree.path;
    struct stat top;
    if (fstat(tree.folder.get(), &top) < 0) return fail_errno("cannot look at a tree");
    made.device = top.st_dev;
    made.inode = top.st_ino;
    TRY_ASSIGN(made.clock, changes::read_kernels_clock());
    // What was seen up to the last time that we asked is certainly of the start.
    size_t certain = 0;
    TRY_ASSIGN(Look look, look_at_tree({tree.folder.get(), request_.passed_over, request_.expected,
                                        [&](const std::vector<SavedEntry>& seen) {
                                          if (!goes_on()) return false;
                                          if (!sign_.started) certain = seen.size();
                                          put_off_ = sign_.over && request_.may_be_put_off &&
                                                     seen.size() >= kFewEntries;
                                          return !put_off_;
                                        }}));
    if (put_off_) {
      // Nobody asks for it any more, and somebody waits: it goes with the process, all at once.
      made.entries = std::move(look.entries);
      return {};
    }
    if (!look.ended) return fail("the run was over before its files were looked at");
    if (!goes_on()) return fail("the run was over before its files were looked at");
    made.entries = std::move(look.entries);
    if (sign_.started) distrust(index, look.changed, certain);
  }
  return {};
}

// Of what was seen when the command could have run already, only that is of the start which has not
// been touched since. A folder that has not been touched held the same at the start.
void Snapshot::distrust(size_t index, int64_t top_changed, size_t first) {
  ManifestTree& tree = manifest_.trees[index];
  int64_t start = sign_.clocks[index];
  if (top_changed >= start) late_[index].insert("");
  for (size_t i = first; i < tree.entries.size(); i++) {
    SavedEntry& entry = tree.entries[i];
    if (entry.changed < start) continue;
    if (entry.type == EntryType::folder) {
      late_[index].insert(entry.path);
    } else {
      entry.kept = Kept::changed;
    }
  }
  tree.whole = late_[index].empty();
}

void Snapshot::take_known(size_t index, const ManifestTree* previous) {
  ManifestTree& tree = manifest_.trees[index];
  bool same_tree = previous != nullptr && previous->device == tree.device;
  PreviousDigests known = same_tree ? PreviousDigests(*previous) : PreviousDigests();
  for (SavedEntry& entry : tree.entries) {
    if (entry.type != EntryType::file || entry.kept != Kept::none) continue;
    const SavedEntry* before = known.find(entry);
    if (!request_.hidden.empty() && request_.hidden.contains(path::join(tree.path, entry.path))) {
      entry.kept = Kept::hidden;
    } else if (before == nullptr) {
      entry.kept = Kept::unread;
    } else if (bytes_ + entry.size > request_.size) {
      entry.kept = Kept::beyond;
    } else {
      entry.kept = Kept::content;
      entry.digest = before->digest;
      entry.attributes = before->attributes;
      files_++;
      bytes_ += entry.size;
    }
  }
}

void Snapshot::keep(Store& store, const std::vector<const ManifestTree*>& previous) {
  for (size_t i = 0; i < manifest_.trees.size(); i++)
    take_known(i, previous[i]);
  read_all(store, false);
  read_all(store, true);
  for (size_t i = 0; i < manifest_.trees.size() && sign_.started; i++)
    take_earlier(i, previous[i]);
}

// Where the command was faster, what an earlier run has kept is the best that there is.
void Snapshot::take_earlier(size_t index, const ManifestTree* previous) {
  ManifestTree& tree = manifest_.trees[index];
  if (previous == nullptr || !is_same_folder(*previous, tree)) return;
  tree.whole = true;  // as of the earlier run
  std::set<std::string>& late = late_[index];
  std::vector<SavedEntry> gone;
  auto now = tree.entries.begin();
  for (const SavedEntry& before : previous->entries) {
    while (now != tree.entries.end() && lies_before(now->path, before.path))
      now++;
    if (now != tree.entries.end() && now->path == before.path) {
      if (now->kept == Kept::changed && before.has_content()) *now = as_earlier(before);
    } else if (late.contains(path::parent("/" + before.path).substr(1))) {
      if (before.type == EntryType::folder) late.insert(before.path);
      if (before.can_be_put_back()) gone.push_back(as_earlier(before));
    }
  }
  if (!gone.empty()) {
    std::vector<SavedEntry> all;
    std::merge(std::make_move_iterator(tree.entries.begin()),
               std::make_move_iterator(tree.entries.end()), std::make_move_iterator(gone.begin()),
               std::make_move_iterator(gone.end()), std::back_inserter(all),
               [](const auto& a, const auto& b) { return lies_before(a.path, b.path); });
    tree.entries = std::move(all);
  }
  earlier_ +=
      static_cast<uint64_t>(std::ranges::count(tree.entries, Kept::earlier, &SavedEntry::kept));
}

void Snapshot::read_all(Store& store, bool large) {
  for (size_t i = 0; i < manifest_.trees.size(); i++) {
    for (SavedEntry& entry : manifest_.trees[i].entries) {
      if (!is_to_be_read(entry) || (entry.size > kLarge) != large) continue;
      if (!goes_on() || sign_.over) cut_short_ = true;
      if (cut_short_) return;
      read_one(store, i, entry);
    }
  }
}

void Snapshot::read_one(Store& store, size_t tree, SavedEntry& entry) {
  if (is_full_) {
    entry.kept = Kept::no_room;
  } else if (bytes_ + entry.size > request_.size) {
    entry.kept = Kept::beyond;
  } else {
    has_read_ = true;
    entry.kept = read_content(store, tree, entry);
  }
  if (entry.kept != Kept::content) return;
  files_++;
  bytes_ += entry.size;
}

Result<changes::ContentAndAttributes> Snapshot::open_content(int folder, const SavedEntry& entry) {
  // A time of access would be a change of its own, and written to the disk beside the command's.
  constexpr int kFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_NOATIME;
  auto file = file::open_beneath(folder, entry.path, kFlags);
  bool is_closed = !file && file.error().err == EACCES && (entry.mode & 0400) == 0;
  if (is_closed && request_.open_closed) return request_.open_closed(folder, entry.path);
  if (!file) return std::unexpected(file.error());
  TRY_ASSIGN(changes::Attributes attributes, changes::read_attributes_of_open(file->get()));
  return changes::ContentAndAttributes{std::move(*file), std::move(attributes)};
}

Kept Snapshot::read_content(Store& store, size_t tree, SavedEntry& entry) {
  auto opened = open_content(request_.trees[tree].folder.get(), entry);
  if (!opened) {
    int err = opened.error().err;
    return err == EACCES || err == EPERM || err == EIO ? Kept::unreadable : Kept::changed;
  }
  int file = opened->content.get();
  // Another thing by that name, such as a pipe, is not read at all.
  if (!is_same_file(entry, file)) return Kept::changed;
  entry.attributes = std::move(opened->attributes);
  auto digest = store.put(
      file, entry.size, [&] { return is_same_file(entry, file) && is_of_the_start(tree, entry); });
  if (digest) {
    entry.digest = *digest;
    return Kept::content;
  }
  int err = digest.error().err;
  if (err == ESTALE) return Kept::changed;
  if (err == EIO) return Kept::unreadable;
  is_full_ = true;
  return Kept::no_room;
}

// Asked after it was looked at: if there is no word of the start yet, that was before it.
bool Snapshot::is_of_the_start(size_t tree, const SavedEntry& entry) {
  if (!goes_on()) return false;
  return !sign_.started || entry.changed < sign_.clocks[tree];
}

bool Snapshot::is_same_as(const Manifest& other) const {
  if (has_read_ || manifest_.trees.size() != other.trees.size()) return false;
  for (size_t i = 0; i < manifest_.trees.size(); i++) {
    const ManifestTree &ours = manifest_.trees[i], &theirs = other.trees[i];
    bool same = ours.path == theirs.path && ours.device == theirs.device &&
                ours.inode == theirs.inode && ours.whole == theirs.whole &&
                ours.entries == theirs.entries;
    if (!same) return false;
  }
  return true;
}

}  // namespace ringwall::undo
