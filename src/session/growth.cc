#include "session/growth.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>

#include "base/clock.h"
#include "policy/policy.h"
#include "session/sandbox_processes.h"

namespace ringwall::session {
namespace {

constexpr size_t kDeepest = 200;  // folders that are open at once
constexpr int kEntriesBetweenClocks = 64;

constexpr unsigned kWanted =
    STATX_TYPE | STATX_BLOCKS | STATX_CTIME | STATX_NLINK | STATX_INO | STATX_UID;

bool look_at(int folder, const char* name, int flags, struct statx& facts) {
  return statx(folder, name, flags | AT_STATX_DONT_SYNC, kWanted, &facts) == 0;
}

uint64_t bytes_of(const struct statx& facts) {
  return facts.stx_blocks * 512 / std::max<uint64_t>(facts.stx_nlink, 1);
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
  uint64_t used;
  uint64_t free;
};
Space space_of(const struct statfs& facts) {
  auto block = static_cast<uint64_t>(facts.f_bsize);
  return {(facts.f_blocks - facts.f_bfree) * block, facts.f_bavail * block};
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

void WrittenSince::take(int folder, const char* name) {
  struct statx facts;
  if (!look_at(folder, name, AT_SYMLINK_NOFOLLOW, facts) || !devices_.contains(device_of(facts)))
    return;
  // The kernel sets the time of a change, nobody inside can.
  bool changed = facts.stx_ctime.tv_sec >= since_;
  if (S_ISREG(facts.stx_mode) && changed) bytes_ += bytes_of(facts);
  if (!S_ISDIR(facts.stx_mode)) return;
  enter(folder, name, facts.stx_uid == getuid());
}

void WrittenSince::take_open_files(pid_t process) {
  std::string path = "/proc/" + std::to_string(process) + "/fd";
  Folder folder(opendir(path.c_str()));
  if (!folder) return;
  int fd = dirfd(folder.get());
  while (const dirent* entry = readdir(folder.get())) {
    struct statx facts;
    if (entry->d_name[0] == '.' || !look_at(fd, entry->d_name, 0, facts)) continue;
    bool removed =
        S_ISREG(facts.stx_mode) && facts.stx_nlink == 0 && facts.stx_ctime.tv_sec >= since_;
    if (removed && devices_.contains(device_of(facts)) && removed_.insert(facts.stx_ino).second)
      bytes_ += facts.stx_blocks * 512;
  }
}

bool WrittenSince::go_on(int64_t deadline) {
  while (true) {
    for (int i = 0; i < kEntriesBetweenClocks && !way_.empty(); i++) {
      DIR* here = way_.back().get();
      const dirent* entry = readdir(here);
      if (entry == nullptr) {
        way_.pop_back();
        continue;
      }
      std::string_view name = entry->d_name;
      if (name != "." && name != "..") take(dirfd(here), entry->d_name);
    }
    if (way_.empty() && !roots_.empty()) {
      enter(roots_.back(), ".", true);
      roots_.pop_back();
    } else if (way_.empty() && !processes_.empty()) {
      take_open_files(processes_.back());
      processes_.pop_back();
    } else if (way_.empty()) {
      return true;
    }
    if (clock::monotonic() >= deadline) return false;
  }
}

Growth::Growth(const std::vector<std::string>& folders, uint64_t most, pid_t init)
    : init_(init), since_(clock::wall_seconds()) {
  struct statfs facts;
  if (most == policy::kNoLimit || folders.empty() || statfs(folders[0].c_str(), &facts) < 0) return;
  folders_ = folders;
  Space space = space_of(facts);
  free_at_start_ = free_ = space.free;
  places_.push_back({Fd(), filesystem_of(facts), space.used, space.used});
  // On a disk that is full already a build must still be able to write its few files anew.
  constexpr uint64_t kLeastByDefault = 64 << 20;
  uint64_t by_default = std::max(free_at_start_ / 4 * 3, kLeastByDefault);
  step_ = most_ = allowed_ = most != 0 ? most : by_default;
}

// What is on another filesystem than the first folder counts from here on.
void Growth::open_folders() {
  opened_ = true;
  for (const std::string& folder : folders_) {
    Fd root(open(folder.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    struct statfs facts;
    if (!root || fstatfs(root.get(), &facts) < 0 || is_remote(facts)) continue;
    uint64_t filesystem = filesystem_of(facts), used = space_of(facts).used;
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
  since_walk_ = 0;
  uint64_t since_start = 0;
  for (Place& place : places_) {
    struct statfs facts;
    if (fstatfs(place.folder.get(), &facts) < 0) continue;
    Space space = space_of(facts);
    // Others free space as well; what they free must not hide what the run takes.
    place.used = std::min(place.used, space.used);
    place.least = std::min(place.least, space.used);
    since_walk_ += space.used - place.used;
    since_start += space.used - place.least;
    if (&place == &places_.front()) free_ = space.free;
  }
  peak_ = std::max(peak_, since_start);
}

// Files can be hidden from every walk. When little is left, it does not matter whose they are.
bool Growth::is_nearly_full() const { return peak_ >= most_ && free_ < free_at_start_ / 8; }

bool Growth::reached(uint64_t written) {
  // A large file that was there before counts in full as soon as one byte of it changes, so the
  // filesystem's own growth is a bound too.
  grown_ = std::min(written, peak_);
  if (grown_ < most_) return false;
  exceeded_ = most_;
  most_ = grown_ + step_;
  return true;
}

bool Growth::look(int64_t nanoseconds) {
  if (!opened_) open_folders();
  if (places_.empty()) return false;
  look_at_filesystems();
  if (is_nearly_full()) return reached(peak_);
  if (!walk_ && since_walk_ < allowed_) return false;
  if (!walk_) {
    walk_ = std::make_unique<WrittenSince>(roots_, since_, init_);
    for (Place& place : places_) {
      struct statfs facts;
      if (fstatfs(place.folder.get(), &facts) == 0) place.used = space_of(facts).used;
    }
  }
  bool done = walk_->go_on(clock::monotonic() + nanoseconds);
  if (!done && walk_->bytes() < most_) return false;
  uint64_t written = walk_->unsure() ? peak_ : walk_->bytes();
  walk_.reset();
  bool more = reached(written);
  allowed_ = most_ - grown_;
  return more;
}

uint64_t Growth::room() const {
  if (walk_) return 0;
  return allowed_ - std::min(allowed_, since_walk_);
}

}  // namespace ringwall::session
