#include "broker/deletion_brake.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <functional>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "files/protected.h"

namespace ringwall::broker {
namespace {

constexpr int64_t kSlice = 2'000'000;  // nanoseconds of listing in one go
constexpr int64_t kGitsPatience = 30'000'000'000;
constexpr int kFolder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
// A time of access is a write to the disk for whoever works in the folder meanwhile.
constexpr int kListed = kFolder | O_NOATIME;

// What builds make, besides files::package_folders(). A star stands for the rest of a name.
constexpr std::string_view kBuildFolders[] = {
    "build",       "_build",        "cmake-build-*", "dist",       "dist-newstyle", "out",
    "__pycache__", ".cache",        ".parcel-cache", ".next",      ".nuxt",         ".svelte-kit",
    ".angular",    ".turbo",        ".gradle",       ".dart_tool", ".build",        "DerivedData",
    ".stack-work", ".zig-cache",    "zig-cache",     "zig-out",    ".terraform",    ".mypy_cache",
    ".ruff_cache", ".pytest_cache", ".hypothesis",   ".eggs",      "*.egg-info",    ".nyc_output",
    "htmlcov",     "*.git",         "tmp",           ".tmp",       "temp",          ".temp",
    "basetemp",    "pytest-of-*",   ".pytest_tmp",
};

int64_t born_before() {
  timespec now;
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  return static_cast<int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

uint64_t hash_of(size_t tree, std::string_view path) {
  return std::hash<std::string_view>()(path) ^ (tree * 0x9e3779b97f4a7c15u);
}

std::string join(const std::string& folder, std::string_view name) {
  return folder.empty() ? std::string(name) : folder + "/" + std::string(name);
}

}  // namespace

bool is_emptied_freely(std::string_view folder) {
  if (folder.empty()) return false;
  if (files::lies_in_packages(std::string(folder) + "/file")) return true;
  for (std::string_view name : text::split_in_place(folder, '/')) {
    for (std::string_view build : kBuildFolders) {
      if (text::matches(name, build)) return true;
    }
  }
  return false;
}

bool is_emptied_freely(std::string_view folder, bool is_one_around) {
  if (is_one_around) return true;
  constexpr int kMostParts = 3;  // of a name in the tables
  size_t start = folder.size();
  for (int i = 0; i < kMostParts && start != folder.npos && start != 0; i++)
    start = folder.rfind('/', start - 1);
  return is_emptied_freely(start == folder.npos || start == 0 ? folder : folder.substr(start + 1));
}

DeletionBrake::DeletionBrake(DeletionLimits limits, const std::vector<files::WatchedTree>& trees,
                             TreeWatch& watch)
    : is_on_(limits.are_set()),
      trees_(trees),
      watch_(watch),
      count_(limits),
      start_(born_before()) {}

Departures DeletionBrake::departures_from(bool is_free) const {
  return is_on_ && !is_free ? Departures::counted : Departures::unheard;
}

void DeletionBrake::expect(int folder, const std::string& path, bool is_free) {
  if (is_on_ && files::last_name(path) == ".git") git_folders_.push_back(folder);
  if (!is_on_ || is_free || !counted_.insert(folder).second) return;
  expected_.push_back(folder);
  count_.expect(folder);
  if (const TreeWatch::Place* place = watch_.place_of(folder))
    by_place_[hash_of(place->tree, path)] = folder;
}

void DeletionBrake::work() {
  int64_t until = clock::monotonic() + kSlice;
  while (has_work() && clock::monotonic() < until)
    list(expected_[next_++]);
  if (has_work()) return;
  expected_ = {};
  next_ = 0;
}

bool DeletionBrake::lies_in_ignored(size_t tree, const std::string& path) {
  if (ignored_.contains({tree, path})) return true;
  if (path.empty() || !ignored_.contains({tree, files::parent_of(path)})) return false;
  ignored_.insert({tree, path});
  return true;
}

void DeletionBrake::list(int folder) {
  const TreeWatch::Place* place = watch_.place_of(folder);
  if (place == nullptr || lies_in_ignored(place->tree, place->path)) {
    counted_.erase(folder);
  } else {
    const std::string& path = place->path;
    auto opened =
        file::open_beneath(trees_[place->tree].folder.get(), path.empty() ? "." : path, kListed);
    auto rules = opened ? ignore_.enter(place->tree, path, opened->get()) : nullptr;
    auto note = [&](const FolderReader::Entry& entry) {
      std::string whole = rules == nullptr ? std::string() : join(path, entry.name);
      if (entry.type == DT_DIR) {
        if (files::IgnoreRules::is_ignored(rules, whole, files::EntryKind::folder))
          ignored_.insert({place->tree, whole});
        return;
      }
      files::EntryKind kind =
          entry.type == DT_LNK ? files::EntryKind::link : files::EntryKind::file;
      if (!files::IgnoreRules::is_ignored(rules, whole, kind)) count_.know(folder, entry.name);
    };
    // One that is gone again has lost its files before they could be known.
    if (opened) (void)reader_.read(opened->get(), note);
  }
  count_.finish(folder);
}

int DeletionBrake::known_as(int number) const {
  auto other = instead_of_.find(number);
  return other == instead_of_.end() ? number : other->second;
}

// A folder that was removed and made anew: what comes back to it is not gone.
void DeletionBrake::take_for_old(int number, int folder) {
  const TreeWatch::Place* place = watch_.place_of(number);
  auto old = place == nullptr ? by_place_.end() : by_place_.find(hash_of(place->tree, place->path));
  if (old == by_place_.end() || old->second == number || watch_.place_of(old->second) != nullptr)
    return;
  Fd opened(openat(folder, ".", kFolder));
  if (!opened || !hear(number, folder)) return;
  instead_of_[number] = old->second;
  (void)reader_.read(opened.get(), [&](const FolderReader::Entry& entry) {
    if (entry.type != DT_DIR) count_.made(old->second, entry.name);
  });
}

void DeletionBrake::meet(int number, int folder) {
  if (is_on_ && !counted_.contains(number)) take_for_old(number, folder);
  if (!is_on_ || counted_.contains(number)) return;
  if (unheard_.erase(number) > 0) hear(number, folder);
  if (!count_.awaits_moved() && !stands_) return;
  // Anew: whoever met it reads on with this one.
  Fd opened(openat(folder, ".", kFolder));
  if (!opened) return;
  // Before it is listed: what goes while we do so is heard of.
  bool was_counted = counted_.contains(number);
  bool is_heard = hear(number, folder);
  bool has_old = stands_;
  (void)reader_.read(opened.get(), [&](const FolderReader::Entry& entry) {
    if (entry.type == DT_DIR) return;
    has_old |= count_.found(number, entry.name, is_old(opened.get(), entry.name.data()));
  });
  if (!has_old && !was_counted) counted_.erase(number);
  if (has_old && !is_heard) unheard_.insert(number);
}

void DeletionBrake::note(const Appeared& one) {
  if (!is_on_ || one.is_folder || one.how == Appeared::How::written) return;
  std::string_view name = files::last_name(one.path);
  bool counts = counted_.contains(one.folder);
  int folder = known_as(one.folder);
  if (one.how == Appeared::How::went) {
    if (!counts) return;
    if (one.move == 0) return count_.deleted(folder, name);
    return count_.moved_away(folder, name, one.move, clock::monotonic());
  }
  if (one.move == 0) {
    if (counts) count_.made(folder, name);
    return;
  }
  if (!counts && !count_.awaits_moved()) return;
  if (!count_.moved_here(folder, name, one.move)) return;
  if (!counts || heard_now_.contains(one.folder)) receive(one);
}

// A file of before the run came to a folder that was not heard until now: it may have gone from
// there already.
void DeletionBrake::receive(const Appeared& one) {
  auto folder = files::open_parent(trees_[one.tree], one.path);
  if (!folder || !hear(one.folder, folder->get())) {
    unheard_.insert(one.folder);
    return;
  }
  struct stat facts;
  std::string name(files::last_name(one.path));
  if (fstatat(folder->get(), name.c_str(), &facts, AT_SYMLINK_NOFOLLOW) < 0 && errno == ENOENT)
    count_.deleted(known_as(one.folder), name);
}

bool DeletionBrake::hear(int number, int folder) {
  if (!counted_.contains(number)) {
    if (!watch_.count_departures(number, folder)) return false;
    counted_.insert(number);
    heard_now_.insert(number);
  }
  return true;
}

void DeletionBrake::end_batch(bool lost) {
  if (!is_on_) return;
  heard_now_.clear();
  if (lost) recount();
  has_lost_ = count_.gone() > lost_before_;
  lost_before_ = count_.gone();
}

// In every folder: what was moved may lie where nothing was counted until now.
void DeletionBrake::recount() {
  while (has_work())
    work();
  count_.begin_recount();
  for (int number : watch_.numbers())
    recount_folder(number);
  count_.end_recount();
}

void DeletionBrake::settle(int64_t now) {
  count_.settle(now);
  if (now == INT64_MAX) git_folders_.clear();
}

// It makes these while it changes the tree, and takes them away.
bool DeletionBrake::is_git_at_work() const {
  constexpr const char* kSigns[] = {"index.lock", "rebase-merge", "rebase-apply"};
  for (int number : git_folders_) {
    const TreeWatch::Place* place = watch_.place_of(number);
    if (place == nullptr) continue;
    for (const char* sign : kSigns) {
      struct stat facts;
      std::string path = join(place->path, sign);
      int top = trees_[place->tree].folder.get();
      if (fstatat(top, path.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0) return true;
    }
  }
  return false;
}

bool DeletionBrake::is_over() {
  if (!count_.is_over()) {
    git_since_ = 0;
    return false;
  }
  if (count_.is_over_files() || !is_git_at_work()) return true;
  int64_t now = clock::monotonic();
  if (git_since_ == 0) git_since_ = now;
  return now - git_since_ > kGitsPatience;
}

bool DeletionBrake::is_really_over() {
  if (is_over()) recount();
  return is_over();
}

void DeletionBrake::recount_folder(int number) {
  const TreeWatch::Place* place = watch_.place_of(number);
  if (place == nullptr || place->is_file) return;
  const std::string& path = place->path;
  bool is_free = is_emptied_freely(path) || lies_in_ignored(place->tree, path);
  if (is_free && !counted_.contains(number)) return;
  auto opened =
      file::open_beneath(trees_[place->tree].folder.get(), path.empty() ? "." : path, kListed);
  if (!opened) return;
  auto rules = ignore_.rules_of(place->tree, path);
  bool has_others = false;
  (void)reader_.read(opened->get(), [&](const FolderReader::Entry& entry) {
    if (entry.type == DT_DIR) return;
    int known = known_as(number);
    if (count_.is_known(known, entry.name)) return count_.see(known, entry.name);
    if (!is_old(opened->get(), entry.name.data())) return;
    files::EntryKind kind = entry.type == DT_LNK ? files::EntryKind::link : files::EntryKind::file;
    if (files::IgnoreRules::is_ignored(rules, join(path, entry.name), kind)) return;
    count_.see_elsewhere(known, entry.name);
    has_others = true;
  });
  // What was moved here counts when it goes from here.
  if (has_others && !hear(number, opened->get())) unheard_.insert(number);
}

bool DeletionBrake::is_old(int folder, const char* name) const {
  struct statx facts;
  if (statx(folder, name, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, STATX_BTIME, &facts) < 0 ||
      (facts.stx_mask & STATX_BTIME) == 0)
    return false;
  return facts.stx_btime.tv_sec * 1'000'000'000 + facts.stx_btime.tv_nsec < start_;
}

BrokerNotice DeletionBrake::take_notice() {
  BrokerNotice notice{BrokerNotice::Type::deleted};
  notice.deletions = {count_.gone(), count_.all(), count_.is_over_files() ? 0u : 1u};
  git_since_ = 0;
  count_.begin_again();
  lost_before_ = 0;
  set_standing(true);
  return notice;
}

void DeletionBrake::set_standing(bool stands) {
  stands_ = stands;
  count_.stand(stands);
}

}  // namespace ringwall::broker
