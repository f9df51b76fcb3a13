#include "guard/watched_mounts.h"

#include <fcntl.h>
#include <sys/fanotify.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>

#include "base/fd.h"
#include "base/file.h"
#include "base/syscalls.h"
#include "base/text.h"

namespace ringwall::guard {
namespace {

constexpr size_t kMostMountBytes = 8 << 20;

constexpr std::array<std::string_view, 14> kWithoutPrograms = {
    "proc", "sysfs",      "devpts",  "devtmpfs", "cgroup", "cgroup2", "mqueue",
    "bpf",  "securityfs", "debugfs", "tracefs",  "pstore", "nsfs",    "binfmt_misc"};

// Behind which a server answers each read anew.
constexpr std::array<std::string_view, 7> kServed = {"fuse", "9p",  "nfs", "cifs",
                                                     "smb3", "afs", "ceph"};

bool may_hold_programs(const MountFacts& mount) {
  if (mount.no_exec) return false;
  auto is_type = [&](std::string_view type) { return mount.type == type; };
  auto begins_type = [&](std::string_view type) { return mount.type.starts_with(type); };
  return std::none_of(kWithoutPrograms.begin(), kWithoutPrograms.end(), is_type) &&
         std::none_of(kServed.begin(), kServed.end(), begins_type);
}

// Blanks and the like stand as \040 there.
std::string unescape(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); i++) {
    bool is_escape = text[i] == '\\' && i + 3 < text.size();
    if (!is_escape) {
      out += text[i];
      continue;
    }
    out +=
        static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + text[i + 3] - '0');
    i += 3;
  }
  return out;
}

bool has_option(std::string_view options, std::string_view wanted) {
  for (std::string_view option : text::split_in_place(options, ',')) {
    if (option == wanted) return true;
  }
  return false;
}

bool is_below(std::string_view path, std::string_view folder) {
  if (folder == "/" || path == folder) return true;
  return path.starts_with(folder) && path[folder.size()] == '/';
}

// Opens the mount itself, not one that lies over it, and nothing that somebody may have put in the
// way.
Fd open_mount(int root, const MountFacts& mount) {
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  Fd opened(sys::openat2(root, mount.point.c_str(), how));
  if (opened && mount_of(opened.get()) != mount.id) opened.close();
  return opened;
}

Status mark(int group, const Fd& mount, const std::string& point) {
  std::string path = "/proc/self/fd/" + std::to_string(mount.get());
  if (fanotify_mark(group, FAN_MARK_ADD | FAN_MARK_MOUNT, FAN_OPEN_PERM | FAN_OPEN_EXEC_PERM,
                    AT_FDCWD, path.c_str()) < 0)
    return fail_errno("cannot watch the mount at " + text::quote(point));
  return {};
}

}  // namespace

Result<std::vector<MountFacts>> parse_mounts(std::string_view text) {
  std::vector<MountFacts> mounts;
  for (std::string_view line : text::split_in_place(text, '\n')) {
    if (line.empty()) continue;
    std::vector<std::string_view> words = text::split_in_place(line, ' ');
    auto dash = std::find(words.begin(), words.end(), "-");
    if (words.size() < 7 || dash == words.end() || dash + 1 == words.end())
      return fail("a line of mountinfo is none");
    MountFacts mount;
    mount.id = strtoull(std::string(words[0]).c_str(), nullptr, 10);
    mount.parent = strtoull(std::string(words[1]).c_str(), nullptr, 10);
    mount.device = words[2];
    mount.root = unescape(words[3]);
    mount.point = unescape(words[4]);
    mount.read_only = has_option(words[5], "ro");
    mount.no_exec = has_option(words[5], "noexec");
    mount.type = *(dash + 1);
    mounts.push_back(std::move(mount));
  }
  return mounts;
}

bool is_system(const MountFacts& mount, const std::vector<MountFacts>& all) {
  if (!mount.read_only) return false;
  return std::none_of(all.begin(), all.end(), [&](const MountFacts& other) {
    return !other.read_only && other.device == mount.device && is_below(mount.root, other.root);
  });
}

uint64_t mount_of(int fd) {
  struct statx info;
  if (statx(fd, "", AT_EMPTY_PATH, STATX_MNT_ID, &info) < 0 || (info.stx_mask & STATX_MNT_ID) == 0)
    return 0;
  return info.stx_mnt_id;
}

Result<std::map<uint64_t, WatchedMount>> watch_mounts(int group, pid_t first_process) {
  std::string folder = "/proc/" + std::to_string(first_process);
  TRY_ASSIGN(std::string text, file::read(folder + "/mountinfo", kMostMountBytes));
  TRY_ASSIGN(std::vector<MountFacts> mounts, parse_mounts(text));
  TRY_ASSIGN(Fd root, file::open(folder + "/root", O_PATH));
  std::map<uint64_t, WatchedMount> watched;
  for (const MountFacts& mount : mounts) {
    if (!may_hold_programs(mount)) continue;
    Fd opened = open_mount(root.get(), mount);
    if (!opened) continue;  // nobody inside gets there either
    TRY(mark(group, opened, mount.point));
    watched[mount.id] = {mount.read_only, is_system(mount, mounts)};
  }
  return watched;
}

}  // namespace ringwall::guard
