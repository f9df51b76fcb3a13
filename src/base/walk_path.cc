#include "base/walk_path.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <iterator>

#include "base/unmarked_open.h"

namespace ringwall {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

// The clock that files are stamped with; it stands still for up to 10 ms.
int64_t stamping_clock() {
  timespec now;
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  return now.tv_sec * kSecond + now.tv_nsec;
}

// A name of 255 bytes can follow, and the kernel takes 4,095. Well below that: each look goes
// through all of it again.
constexpr size_t kLongestLookup = 1000;

bool ask(int dir, const char* path, int flags, Mark& mark) {
  struct statx facts;
  constexpr unsigned kWanted =
      STATX_TYPE | STATX_MODE | STATX_INO | STATX_CTIME | STATX_NLINK | STATX_UID | STATX_SIZE;
  if (statx(dir, path, flags | AT_NO_AUTOMOUNT, kWanted, &facts) < 0) return false;
  mark.device = uint64_t{facts.stx_dev_major} << 32 | facts.stx_dev_minor;
  mark.inode = facts.stx_ino;
  mark.size = facts.stx_size;
  mark.ctime = facts.stx_ctime.tv_sec * 1'000'000'000 + facts.stx_ctime.tv_nsec;
  mark.links = facts.stx_nlink;
  mark.owner = facts.stx_uid;
  mark.mode = facts.stx_mode;
  mark.is_mount = (facts.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
  return true;
}

Fd open_at(int dir, const char* path, int flags) {
  open_how how{};
  how.flags = static_cast<uint64_t>(flags | O_NOFOLLOW | O_CLOEXEC);
  // Other mounts are entered: a tree is shown inside with all that is mounted in it.
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  return Fd(sys::openat2_unmarked(dir, path, how));
}

}  // namespace

Moment::Moment() : start_(stamping_clock()) {}

bool Moment::is_settled(int64_t ctime) const {
  // Old filesystems stamp whole seconds.
  int64_t slack = ctime % kSecond == 0 ? 2 * kSecond : kSecond / 50;
  if (ctime < start_ - slack) return true;
  // After a clock was set back, times of the future are as good as those of the past.
  return ctime > stamping_clock() + slack;
}

bool stamps_folders(int folder) {
  constexpr uint32_t kXfs = 0x58465342, kZfs = 0x2fc12fc1, kBcachefs = 0xca451a4e;
  constexpr uint32_t kKnown[] = {EXT4_SUPER_MAGIC,
                                 TMPFS_MAGIC,
                                 BTRFS_SUPER_MAGIC,
                                 F2FS_SUPER_MAGIC,
                                 OVERLAYFS_SUPER_MAGIC,
                                 RAMFS_MAGIC,
                                 kXfs,
                                 kZfs,
                                 kBcachefs};
  struct statfs facts;
  return fstatfs(folder, &facts) == 0 &&
         std::find(std::begin(kKnown), std::end(kKnown), static_cast<uint32_t>(facts.f_type)) !=
             std::end(kKnown);
}

bool read_mark(int fd, Mark& mark) { return ask(fd, "", AT_EMPTY_PATH, mark); }

bool read_mark_at(int dir, const std::string& name, Mark& mark) {
  return ask(dir, name.c_str(), AT_SYMLINK_NOFOLLOW, mark);
}

Fd open_file_at(int dir, const std::string& name) {
  return open_at(dir, name.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOATIME);
}

void WalkPath::leave_to(size_t depth) {
  ends_.resize(depth + 1);
  path_.resize(ends_.back());
  while (!anchors_.empty() && anchors_.back().depth > depth)
    anchors_.pop_back();
}

bool WalkPath::enter(size_t depth, std::string_view name) {
  leave_to(depth - 1);
  size_t start = anchors_.empty() ? 0 : anchors_.back().length;
  if (path_.size() + name.size() > kLongest) {
    errno = ENAMETOOLONG;
    return false;
  }
  if (path_.size() - start > kLongestLookup) {
    Fd here = open_at(base(), relative(), O_PATH | O_DIRECTORY);
    if (!here) return false;
    anchors_.push_back({depth - 1, path_.size(), std::move(here)});
  }
  if (!path_.empty()) path_ += '/';
  path_ += name;
  ends_.push_back(path_.size());
  return true;
}

const char* WalkPath::relative() const {
  if (path_.empty()) return ".";
  return path_.c_str() + (anchors_.empty() ? 0 : anchors_.back().length + 1);
}

bool WalkPath::look(Mark& mark) { return ask(base(), relative(), AT_SYMLINK_NOFOLLOW, mark); }

bool WalkPath::look_at(std::string_view name, Mark& mark) {
  size_t length = path_.size();
  if (length > 0) path_ += '/';
  path_ += name;
  bool seen = look(mark);
  path_.resize(length);
  return seen;
}

Fd WalkPath::open_folder() const {
  return open_at(base(), relative(), O_RDONLY | O_DIRECTORY | O_NOATIME);
}

}  // namespace ringwall
