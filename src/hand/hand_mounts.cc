#include "hand/hand_mounts.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <cerrno>

#include "base/fd.h"
#include "base/file_id.h"
#include "base/syscalls.h"
#include "sandbox/filesystems.h"

namespace ringwall::hand {
namespace {

// The host may go on replacing what we mount over: each time it is done anew.
constexpr int kMostTries = 8;

constexpr uint64_t kReadOnly = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_RDONLY;

Fd open_point(int base, const std::string& path) {
  open_how how{};
  how.flags = O_PATH | O_NOFOLLOW | O_CLOEXEC;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  return Fd(sys::openat2(base, path.c_str(), how));
}

bool is_mount_point(int point) {
  struct statx facts;
  if (statx(point, "", AT_EMPTY_PATH, STATX_BASIC_STATS, &facts) < 0) return false;
  return (facts.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

bool stands_read_only(int point) {
  struct statvfs facts;
  return is_mount_point(point) && fstatvfs(point, &facts) == 0 && (facts.f_flag & ST_RDONLY) != 0;
}

int cover(int point, int source, unsigned recursive, uint64_t attributes) {
  Fd tree(
      sys::open_tree(source, "", AT_EMPTY_PATH | OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | recursive));
  if (!tree) return errno;
  if (Status set = sandbox::set_attributes(tree.get(), attributes); !set) return set.error().err;
  constexpr unsigned kByDescriptors = MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH;
  return sys::move_mount(tree.get(), "", point, "", kByDescriptors) < 0 ? errno : 0;
}

// Covers what lies at `path` until it stands there.
template <class Stands, class Cover>
int renew(int base, const std::string& path, Stands stands, Cover put) {
  int err = ENOENT;
  for (int i = 0; i < kMostTries; i++) {
    Fd point = open_point(base, path);
    if (!point) return errno;
    if (stands(point.get())) return 0;
    err = put(point.get());
    // ENOENT: it was replaced between the two calls.
    if (err != 0 && err != ENOENT) return err;
  }
  Fd point = open_point(base, path);
  if (point && stands(point.get())) return 0;
  return err != 0 ? err : EAGAIN;
}

bool is_link(int point) {
  struct stat facts;
  return fstat(point, &facts) < 0 || S_ISLNK(facts.st_mode);
}

// From the namespace's own root, whatever lies above the path.
Fd open_root() {
  open_how how{};
  how.flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
  return Fd(sys::openat2(AT_FDCWD, "/", how));
}

std::string below_root(const std::string& path) {
  return path.empty() || path[0] != '/' ? path : path.substr(1);
}

}  // namespace

int renew_read_only(const std::string& path) {
  Fd root = open_root();
  if (!root) return errno;
  return renew(root.get(), below_root(path), stands_read_only, [](int point) {
    return is_link(point) ? ELOOP : cover(point, point, AT_RECURSIVE, kReadOnly);
  });
}

int renew_mask(const std::string& path, int mask) {
  Fd root = open_root();
  if (!root) return errno;
  auto stands = [&](int point) { return is_mount_point(point) && file::is_same(point, mask); };
  return renew(root.get(), below_root(path), stands, [&](int point) {
    if (is_link(point)) return ELOOP;
    return cover(point, mask, 0, kReadOnly | MOUNT_ATTR_NOEXEC);
  });
}

int mask_file(const std::string& path, int file, int mask) {
  Fd root = open_root();
  if (!root) return errno;
  Fd point = open_point(root.get(), below_root(path));
  if (!point) return errno == ENOENT || errno == ELOOP || errno == ENOTDIR ? 0 : errno;
  if (file::is_same(point.get(), mask)) return EALREADY;
  if (!file::is_same(point.get(), file)) return 0;
  int err = cover(point.get(), mask, 0, kReadOnly | MOUNT_ATTR_NOEXEC);
  return err == ENOENT ? 0 : err;  // it was removed between the two calls
}

int renew_pin(int behind, const std::string& place, int mask) {
  return renew(behind, place, is_mount_point, [&](int point) {
    struct stat facts;
    if (fstat(point, &facts) < 0) return errno;
    if (!S_ISDIR(facts.st_mode)) return cover(point, mask, 0, kReadOnly | MOUNT_ATTR_NOEXEC);
    return cover(point, point, 0, 0);
  });
}

}  // namespace ringwall::hand
