#include "undo/expiry.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "base/file.h"
#include "undo/kept_run.h"
#include "undo/manifest.h"
#include "undo/put_back.h"
#include "undo/store.h"

namespace ringwall::undo {
namespace {

// No limit is a number too, and larger than any time.
constexpr uint64_t kLongest = INT64_MAX;
constexpr int64_t kBetweenLooks = 600;  // seconds
constexpr const char* kLooked = "looked";

class Expiry {
 public:
  Expiry(int undo, const ExpiryLimits& limits, const std::function<bool()>& goes_on, Store store)
      : undo_(undo), limits_(limits), goes_on_(goes_on), store_(std::move(store)) {}

  Result<Expired> run() {
    TRY_ASSIGN(runs_, list_kept_runs(undo_));
    find_newest();
    for (size_t i = 0; i < runs_.size() && goes_on_();) {
      bool is_old =
          limits_.now - runs_[i].started > static_cast<int64_t>(std::min(limits_.age, kLongest));
      if (!is_old || !may_go(runs_[i])) {
        i++;
        continue;
      }
      TRY(remove(i));
    }
    TRY(store_.remove_unfinished());
    TRY(remove_leftovers(undo_));
    TRY_ASSIGN(bool whole, mark());
    if (!whole) return std::move(done_);
    TRY(sweep());
    return std::move(done_);
  }

 private:
  void find_newest() {
    for (const KeptRun& run : runs_)
      newest_[run.workspace] = run.id;
  }

  bool may_go(const KeptRun& run) const {
    struct stat facts;
    bool workspace_is_gone = stat(run.workspace.c_str(), &facts) < 0 && errno == ENOENT;
    if (newest_.at(run.workspace) == run.id && !workspace_is_gone) return false;
    auto folder = open_kept_run(undo_, run.id);
    return !folder || (has_ended(folder->get()) && !is_interrupted(folder->get()));
  }

  Status remove(size_t index) {
    TRY(remove_kept_run(undo_, runs_[index].id));
    done_.runs.push_back(runs_[index].id);
    runs_.erase(runs_.begin() + static_cast<ptrdiff_t>(index));
    return {};
  }

  // False if it cannot be known which contents are named: then none is removed.
  Result<bool> mark() {
    TRY_ASSIGN(Fd folder, file::make_dirs_at(undo_, "runs"));
    TRY_ASSIGN(auto names, file::list(folder.get()));
    for (const file::Entry& entry : names) {
      if (!goes_on_()) return false;
      if (is_removed(entry.name)) continue;
      auto run = open_kept_run(undo_, entry.name);
      auto digests = run ? read_digests(run->get()) : std::unexpected(run.error());
      if (!digests && digests.error().err == ENOENT) continue;  // it has none yet
      if (!digests) return false;
      for (const Digest& digest : *digests)
        uses_[digest]++;
    }
    return true;
  }

  Status sweep() {
    std::unordered_map<Digest, uint64_t, DigestHash> sizes;
    std::vector<Digest> unnamed;
    TRY(store_.visit([&](const Digest& digest, uint64_t bytes) {
      auto use = uses_.find(digest);
      if (use == uses_.end()) return unnamed.push_back(digest);
      sizes[digest] = bytes;
      done_.bytes += bytes;
    }));
    for (const Digest& digest : unnamed) {
      if (!goes_on_()) return {};
      TRY(drop(digest));
    }
    for (size_t i = 0; i < runs_.size() && done_.bytes > limits_.kept && goes_on_();) {
      if (!may_go(runs_[i])) {
        i++;
        continue;
      }
      TRY(remove_with_contents(i, sizes));
    }
    return {};
  }

  Status remove_with_contents(size_t index,
                              const std::unordered_map<Digest, uint64_t, DigestHash>& sizes) {
    auto folder = open_kept_run(undo_, runs_[index].id);
    auto digests = folder ? read_digests(folder->get()) : std::unexpected(folder.error());
    TRY(remove(index));
    if (!digests) return {};
    for (const Digest& digest : *digests) {
      auto size = sizes.find(digest);
      if (--uses_[digest] > 0 || size == sizes.end()) continue;
      TRY(drop(digest));
      done_.bytes -= size->second;
    }
    return {};
  }

  Status drop(const Digest& digest) {
    TRY(store_.remove(digest));
    done_.contents++;
    return {};
  }

  int undo_;
  const ExpiryLimits& limits_;
  const std::function<bool()>& goes_on_;
  Store store_;
  std::vector<KeptRun> runs_;
  std::map<std::string, std::string> newest_;  // id by workspace
  std::unordered_map<Digest, uint64_t, DigestHash> uses_;
  Expired done_;
};

}  // namespace

Result<Expired> expire(int undo, const ExpiryLimits& limits, const std::function<bool()>& goes_on) {
  auto lock = lock_store(undo, LockMode::alone_at_once);
  if (!lock && lock.error().err == EWOULDBLOCK) return Expired{.was_busy = true};
  if (!lock) return std::unexpected(lock.error());
  TRY_ASSIGN(Store store, Store::open(undo));
  return Expiry(undo, limits, goes_on, std::move(store)).run();
}

bool is_time_to_expire(int undo, int64_t now) {
  struct stat facts;
  bool was = fstatat(undo, kLooked, &facts, AT_SYMLINK_NOFOLLOW) == 0;
  if (was && facts.st_mtim.tv_sec <= now && now - facts.st_mtim.tv_sec < kBetweenLooks)
    return false;
  return file::replace_at(undo, kLooked, "").has_value();
}

}  // namespace ringwall::undo
