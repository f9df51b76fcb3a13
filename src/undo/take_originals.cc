#include "undo/take_originals.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/file.h"
#include "base/read_lease.h"
#include "changes/attributes.h"
#include "changes/transaction.h"
#include "changes/workplace.h"
#include "undo/kept_run.h"
#include "undo/manifest.h"
#include "undo/store.h"

namespace ringwall::undo {
namespace {

using changes::EntryType;
using changes::StepReport;

constexpr int kTries = 3;

// Who opens a file while it is leased makes the kernel send this, and it would end us.
class DeafToLeases {
 public:
  DeafToLeases() {
    struct sigaction ignore = {};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGIO, &ignore, &before_);
  }
  ~DeafToLeases() { sigaction(SIGIO, &before_, nullptr); }
  DeafToLeases(const DeafToLeases&) = delete;

 private:
  struct sigaction before_ = {};
};

// Some filesystems give none; there it could not be told who writes.
bool gives_leases(int folder) {
  std::string name = ".lease." + std::to_string(getpid());
  Fd file(openat(folder, name.c_str(), O_RDONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  unlinkat(folder, name.c_str(), 0);
  return file && file::probe_writers(file.get()) == file::Writers::none;
}

class Taking {
 public:
  Taking(Store store, int folder, Manifest manifest, const TakeOptions& options)
      : store_(std::move(store)),
        folder_(folder),
        manifest_(std::move(manifest)),
        options_(options) {}

  Status run(const std::vector<DoneIn>& trees) {
    for (size_t i = 0; i < trees.size() && i < manifest_.trees.size(); i++)
      TRY(find_kept(trees[i].journal, manifest_.trees[i]));
    bool is_new = false;
    for (const Waiting& one : waiting_) {
      if (one.entry->kept != Kept::unread) continue;
      TRY(learn(one));
      is_new = true;
    }
    if (is_new) TRY(write_down());
    for (const Waiting& one : waiting_) {
      if (!one.entry->has_content() || store_.has(one.entry->digest, one.entry->size)) continue;
      TRY(reach("take"));
      TRY(store_.adopt(one.old, one.name, one.entry->digest));
    }
    return {};
  }

 private:
  struct Waiting {
    int old;  // folder
    std::string name;
    SavedEntry* entry;
  };

  Status find_kept(int journal, ManifestTree& tree) {
    if (journal < 0) return {};
    TRY_ASSIGN(changes::JournalState state, changes::look_at_journal(journal));
    if (state != changes::JournalState::reported) return {};
    auto old = file::open_beneath(journal, changes::kOldFolder, O_RDONLY | O_DIRECTORY);
    if (!old && old.error().err == ENOENT) return {};
    if (!old) return std::unexpected(old.error());
    TRY_ASSIGN(changes::Report report, changes::read_report(journal));
    for (StepReport& step : report) {
      if (step.kept.empty() || step.before.type != EntryType::file) continue;
      SavedEntry* entry = find_entry(tree, step.path);
      struct stat seen;
      bool is_there = fstatat(old->get(), step.kept.c_str(), &seen, AT_SYMLINK_NOFOLLOW) == 0;
      if (entry == nullptr || !is_there || !S_ISREG(seen.st_mode)) continue;
      waiting_.push_back({old->get(), std::move(step.kept), entry});
    }
    folders_.push_back(std::move(*old));
    return {};
  }

  // What it holds now: it was the tree's until it was replaced.
  Status learn(const Waiting& one) {
    TRY(reach("learn"));
    auto place = file::open_beneath(one.old, one.name, O_PATH | O_NOFOLLOW);
    auto file = place ? open_ours(place->get()) : std::unexpected(place.error());
    auto kept = file ? keep(file->get(), *one.entry) : std::unexpected(file.error());
    bool is_full = !kept && (kept.error().err == ENOSPC || kept.error().err == EDQUOT);
    if (is_full) return std::unexpected(kept.error());
    one.entry->kept = kept ? *kept : Kept::unreadable;
    return {};
  }

  // It has no name in the tree any more: its mode is not the person's affair, the manifest has it.
  static Result<Fd> open_ours(int place) {
    struct stat seen;
    if (fstat(place, &seen) < 0) return fail_errno("cannot look at a file");
    if ((seen.st_mode & 0400) == 0) TRY(changes::set_mode(place, 0600));
    return file::open(changes::path_of(place), O_RDONLY | O_NONBLOCK);
  }

  // One that others may still change is copied, as it is when that succeeds.
  Result<Kept> keep(int file, SavedEntry& entry) {
    TRY_ASSIGN(entry.attributes, changes::read_attributes(file));
    struct stat seen;
    if (fstat(file, &seen) < 0) return fail_errno("cannot look at a file");
    if (!options_.copies && seen.st_nlink == 1 &&
        file::probe_writers(file) == file::Writers::none) {
      TRY_ASSIGN(entry.digest, Store::digest_of(file, entry.size));
      return Kept::content;
    }
    for (int i = 0; i < kTries; i++) {
      if (fstat(file, &seen) < 0 || lseek(file, 0, SEEK_SET) < 0)
        return fail_errno("cannot look at a file");
      auto now = changes::facts_of(seen);
      auto digest = store_.put(file, now.size, [&] {
        return fstat(file, &seen) == 0 && changes::facts_of(seen) == now;
      });
      if (!digest && digest.error().err == ESTALE) continue;
      if (!digest) return std::unexpected(digest.error());
      entry.digest = *digest;
      entry.size = now.size;
      entry.modified = now.modified;
      return Kept::content;
    }
    return Kept::changed;
  }

  // On the disk before the first of them leaves the journal.
  Status write_down() {
    TRY(reach("write digests"));
    TRY(write_manifest(folder_, manifest_));
    TRY_ASSIGN(Fd written, file::open_beneath(folder_, kManifestName, O_RDONLY | O_NOFOLLOW));
    if (fsync(written.get()) < 0 || fsync(folder_) < 0)
      return fail_errno("cannot sync what is kept");
    return {};
  }

  Status reach(std::string_view act) const {
    int err = options_.before_act ? options_.before_act(act) : 0;
    if (err != 0) return std::unexpected(Error{"cannot " + std::string(act), err, {}});
    return {};
  }

  Store store_;
  int folder_;
  Manifest manifest_;
  const TakeOptions& options_;
  std::vector<Fd> folders_;
  std::vector<Waiting> waiting_;
};

}  // namespace

bool can_take(int undo, int tree) {
  return tree >= 0 && changes::is_near(undo, tree) && gives_leases(undo);
}

Status take_originals(int undo, int folder, const std::vector<DoneIn>& trees,
                      const TakeOptions& options) {
  // Nobody may remove contents that no manifest names yet.
  TRY_ASSIGN(Fd lock, lock_store(undo, LockMode::shared));
  TRY_ASSIGN(Store store, Store::open(undo));
  TRY_ASSIGN(Manifest manifest, read_manifest(folder));
  DeafToLeases deaf;
  return Taking(std::move(store), folder, std::move(manifest), options).run(trees);
}

}  // namespace ringwall::undo
