#include "processes/growth.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "base/clock.h"
#include "base/path.h"
#include "policy/policy.h"
#include "processes/sandbox_processes.h"

namespace ringwall::processes {
namespace {

constexpr size_t kDeepest = 200;  // folders that are open at once
constexpr int kEntriesBetweenClocks = 64;
constexpr uint64_t kBytesPerFile = 4096;
constexpr uint64_t kLeastFiles = 1 << 16;
// Where a filesystem does not count files; far above any number, and sums do not overflow.
constexpr uint64_t kUnbounded = 1ull << 62;

constexpr unsigned kWanted =
    STATX_TYPE | STATX_BLOCKS | STATX_CTIME | STATX_NLINK | STATX_INO | STATX_UID;

bool look_at(int folder, const char* name, int flags, struct statx& facts) {
  return statx(folder, name, flags | AT_STATX_DONT_SYNC, kWanted, &facts) == 0;
}

// Asking a server that does not answer would stop the supervisor.
bool is_remote(const struct statfs& facts) {
  constexpr long kRemote[] = {
      0x6969 /* NFS */,    0x65735546 /* FUSE */, 0xff534d42 /* CIFS */, 0xfe534d42 /* SMB2 */,
      0x01021997 /* 9p */, 0x00c36400 /* Ceph */, 0x517b /* SMB */,      0x5346414f /* AFS */};
  auto type = static_cast<long>(static_cast<uint32_t>(facts.f_type));
  return std::find(std::begin(kRemote), std::end(kRemote), type) != std::end(kRemote);
}

struct Space {
  Amount used;
  Amount free;
};
Space space_of(const struct statfs& facts) {
  auto block = static_cast<uint64_t>(facts.f_bsize);
  uint64_t files = facts.f_files - std::min(facts.f_files, facts.f_ffree);
  return {{(facts.f_blocks - facts.f_bfree) * block, files},
          {facts.f_bavail * block, facts.f_ffree}};
}

// By default three quarters of what is left, but a disk that is full already must still take the
// few files that a build writes anew.
Amount plan_bound(uint64_t most, bool only_lowers, const struct statfs& facts) {
  constexpr uint64_t kLeastByDefault = 64 << 20;
  Amount free = space_of(facts).free;
  Amount usual = {std::max(free.bytes / 4 * 3, kLeastByDefault),
                  facts.f_files == 0 ? kUnbounded : std::max(free.files / 4 * 3, kLeastFiles)};
  if (most == 0) return usual;
  Amount asked = {most, std::max(most / kBytesPerFile, kLeastFiles)};
  if (!only_lowers) return asked;
  return {std::min(asked.bytes, usual.bytes), std::min(asked.files, usual.files)};
}

Amount operator+(const Amount& one, const Amount& other) {
  return {one.bytes + other.bytes, one.files + other.files};
}

// Never below nothing.
Amount operator-(const Amount& one, const Amount& other) {
  return {one.bytes - std::min(one.bytes, other.bytes),
          one.files - std::min(one.files, other.files)};
}

Amount least_of(const Amount& one, const Amount& other) {
  return {std::min(one.bytes, other.bytes), std::min(one.files, other.files)};
}

uint64_t filesystem_of(const struct statfs& facts) {
  return static_cast<uint64_t>(static_cast<uint32_t>(facts.f_fsid.__val[0])) << 32 |
         static_cast<uint32_t>(facts.f_fsid.__val[1]);
}

std::pair<unsigned, unsigned> device_of(const struct statx& facts) {
  return {facts.stx_dev_major, facts.stx_dev_minor};
}

}  // namespace

bool can_watch_growth(const std::string& folder) {
  struct statfs facts;
  return statfs(folder.c_str(), &facts) == 0 && !is_remote(facts);
}

WrittenSince::WrittenSince(const std::vector<Fd>& roots, int64_t since_seconds, pid_t init)
    : since_(since_seconds), processes_(list_processes(init)) {
  for (const Fd& root : roots) {
    struct statx facts;
    if (!look_at(root.get(), "", AT_EMPTY_PATH, facts)) continue;
    devices_.insert(device_of(facts));
    roots_.push_back(root.get());
  }
}

void WrittenSince::enter(int parent, const char* name, bool callers) {
  if (way_.size() >= kDeepest) {
    unsure_ = true;
    return;
  }
  int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  // One that is gone holds nothing. One that is closed to us and not ours was not the run's work.
  if (folder < 0) {
    unsure_ |= errno != ENOENT && errno != ENOTDIR && callers;
    return;
  }
  DIR* dir = fdopendir(folder);
  if (dir == nullptr) {
    close(folder);
    unsure_ = true;
    return;
  }
  way_.emplace_back(dir);
}

void WrittenSince::add(const struct statx& facts) {
  // The kernel sets the time of a change, nobody inside can.
  if (facts.stx_ctime.tv_sec < since_) return;
  // The names of a folder are the folders below it.
  uint64_t names = S_ISDIR(facts.stx_mode) ? 1 : std::max<uint64_t>(facts.stx_nlink, 1);
  bytes_ += facts.stx_blocks * 512 / names;
  shares_ += kWhole / names;
}

void WrittenSince::start_root() {
  int root = roots_.back();
  roots_.pop_back();
  struct statx facts;
  if (look_at(root, "", AT_EMPTY_PATH, facts)) add(facts);
  enter(root, ".", true);
}

void WrittenSince::take(int folder, const char* name) {
  struct statx facts;
  if (!look_at(folder, name, AT_SYMLINK_NOFOLLOW, facts) || !devices_.contains(device_of(facts)))
    return;
  add(facts);
  if (S_ISDIR(facts.stx_mode)) enter(folder, name, facts.stx_uid == getuid());
}

// A process can close its list of open files to us, and hold any number of removed ones.
void WrittenSince::open_next_table() {
  if (tables_.empty()) {
    tables_ = list_file_tables(processes_.back());
    processes_.pop_back();
    return;
  }
  std::string path = std::move(tables_.back());
  tables_.pop_back();
  table_.reset(opendir(path.c_str()));
  if (!table_) unsure_ |= is_alive(path::parent(path));
}

void WrittenSince::take_open_file(const char* name) {
  struct statx facts;
  if (!look_at(dirfd(table_.get()), name, 0, facts) || facts.stx_nlink != 0) return;
  if (facts.stx_ctime.tv_sec < since_ || !devices_.contains(device_of(facts))) return;
  if (removed_.insert(facts.stx_ino).second) add(facts);
}

void WrittenSince::take_next() {
  Folder& here = way_.empty() ? table_ : way_.back();
  const dirent* entry = readdir(here.get());
  if (entry == nullptr) {
    way_.empty() ? table_.reset() : way_.pop_back();
    return;
  }
  std::string_view name = entry->d_name;
  if (name == "." || name == "..") return;
  way_.empty() ? take_open_file(entry->d_name) : take(dirfd(here.get()), entry->d_name);
}

bool WrittenSince::go_on(int64_t deadline) {
  while (true) {
    for (int i = 0; i < kEntriesBetweenClocks && (!way_.empty() || table_); i++)
      take_next();
    if (way_.empty() && !table_) {
      if (!roots_.empty()) {
        start_root();
      } else if (!tables_.empty() || !processes_.empty()) {
        open_next_table();
      } else {
        return true;
      }
    }
    if (clock::monotonic() >= deadline) return false;
  }
}

Growth::Growth(const std::vector<std::string>& folders, uint64_t most, pid_t init, bool only_lowers)
    : init_(init), started_(clock::monotonic()), since_(clock::wall_seconds()) {
  struct statfs facts;
  if (most == policy::kNoLimit || folders.empty() || statfs(folders[0].c_str(), &facts) < 0) return;
  folders_ = folders;
  Space space = space_of(facts);
  free_at_start_ = free_ = space.free;
  places_.push_back({Fd(), filesystem_of(facts), space.used, space.used});
  step_ = most_ = allowed_ = plan_bound(most, only_lowers, facts);
}

// What is on another filesystem than the first folder counts from here on.
void Growth::open_folders() {
  opened_ = true;
  for (const std::string& folder : folders_) {
    Fd root(open(folder.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    struct statfs facts;
    if (!root || fstatfs(root.get(), &facts) < 0 || is_remote(facts)) continue;
    uint64_t filesystem = filesystem_of(facts);
    Amount used = space_of(facts).used;
    auto place = std::find_if(places_.begin(), places_.end(),
                              [&](const Place& known) { return known.filesystem == filesystem; });
    if (place == places_.end()) place = places_.insert(place, Place{Fd(), filesystem, used, used});
    if (!place->folder) place->folder = Fd(dup(root.get()));
    roots_.push_back(std::move(root));
  }
  // The first one may be remote.
  std::erase_if(places_, [](const Place& place) { return !place.folder; });
  if (places_.empty()) folders_.clear();
}

void Growth::look_at_filesystems() {
  since_walk_ = {};
  Amount since_start;
  for (Place& place : places_) {
    struct statfs facts;
    if (fstatfs(place.folder.get(), &facts) < 0) continue;
    Space space = space_of(facts);
    // Others free space as well; what they free must not hide what the run takes.
    place.used = least_of(place.used, space.used);
    place.least = least_of(place.least, space.used);
    since_walk_ = since_walk_ + (space.used - place.used);
    since_start = since_start + (space.used - place.least);
    if (&place == &places_.front()) free_ = space.free;
  }
  peak_ = {std::max(peak_.bytes, since_start.bytes), std::max(peak_.files, since_start.files)};
}

// Files can be hidden from every walk. When little is left, it does not matter whose they are.
bool Growth::is_nearly_full() const {
  return (peak_.bytes >= most_.bytes && free_.bytes < free_at_start_.bytes / 8) ||
         (peak_.files >= most_.files && free_.files < free_at_start_.files / 8);
}

bool Growth::reached(const Amount& written) {
  // A large file that was there before counts in full as soon as one byte of it changes, so the
  // filesystem's own growth is a bound too.
  grown_ = least_of(written, peak_);
  exceeded_ = {grown_.bytes >= most_.bytes ? most_.bytes : 0,
               grown_.files >= most_.files ? most_.files : 0};
  if (exceeded_.bytes != 0) most_.bytes = grown_.bytes + step_.bytes;
  if (exceeded_.files != 0) most_.files = grown_.files + step_.files;
  return exceeded_.bytes != 0 || exceeded_.files != 0;
}

void Growth::start_walk() {
  // Where the clock was set back, what is written now looks older than the run.
  int64_t run_seconds = (clock::monotonic() - started_) / 1'000'000'000;
  since_ = std::min(since_, clock::wall_seconds() - run_seconds - 1);
  walk_ = std::make_unique<WrittenSince>(roots_, since_, init_);
  before_walk_ = std::exchange(since_walk_, {});
  for (Place& place : places_) {
    struct statfs facts;
    if (fstatfs(place.folder.get(), &facts) == 0) place.used = space_of(facts).used;
  }
}

bool Growth::look(int64_t nanoseconds) {
  if (!opened_) open_folders();
  if (places_.empty()) return false;
  look_at_filesystems();
  if (is_nearly_full()) return reached(peak_);
  if (!walk_ && !since_walk_.reaches(allowed_)) return false;
  if (!walk_) start_walk();
  bool done = walk_->go_on(clock::monotonic() + nanoseconds);
  if (!done && !least_of(walk_->sum(), peak_).reaches(most_)) return false;
  Amount written = walk_->unsure() ? peak_ : walk_->sum();
  walk_.reset();
  bool more = reached(written);
  Amount rest = allowed_ - before_walk_;
  allowed_ = most_ - grown_;
  // Of the other kind a walk that was cut short has not seen all.
  if (!done && exceeded_.bytes == 0) allowed_.bytes = std::min(allowed_.bytes, rest.bytes);
  if (!done && exceeded_.files == 0) allowed_.files = std::min(allowed_.files, rest.files);
  return more;
}

bool Growth::wants_stillness() const {
  return walk_ && (grown_ + before_walk_ + since_walk_).reaches(most_ + step_);
}

uint64_t Growth::room() const {
  if (walk_) return 0;
  Amount left = allowed_ - since_walk_;
  // To make a file takes about as long as to write a block.
  return std::min(left.bytes, std::min(left.files, kUnbounded / kBytesPerFile) * kBytesPerFile);
}

}  // namespace ringwall::processes
