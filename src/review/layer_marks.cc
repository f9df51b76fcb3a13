#include "review/layer_marks.h"

#include <fcntl.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>

#include "base/fd.h"
#include "base/text.h"

namespace ringwall::review {
namespace {

constexpr const char* kOpaque = "user.overlay.opaque";
constexpr const char* kWhiteout = "user.overlay.whiteout";
constexpr size_t kMostAttribute = 64 << 10;  // the kernel's own bounds, of a value and of the names

bool belongs_to_state(std::string_view name) {
  if (name.starts_with("user.overlay.")) return false;
  return name.starts_with("user.") || name.starts_with("system.posix_acl_") ||
         name == "security.capability";
}

}  // namespace

Opaque read_opaque(int folder) {
  char value = 0;
  // One letter; a longer value is none of the kernel's.
  if (fgetxattr(folder, kOpaque, &value, 1) != 1) return Opaque::no;
  if (value == 'y') return Opaque::yes;
  return value == 'x' ? Opaque::marked_whiteouts : Opaque::no;
}

bool is_whiteout(int folder, const std::string& name, const struct stat& seen, Opaque opaque) {
  if (S_ISCHR(seen.st_mode)) return seen.st_rdev == makedev(0, 0);
  if (opaque != Opaque::marked_whiteouts || !S_ISREG(seen.st_mode) || seen.st_size != 0)
    return false;
  Fd place(openat(folder, name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
  if (!place) return false;
  // Through the descriptor, whatever rights the file has.
  std::string itself = "/proc/self/fd/" + std::to_string(place.get());
  return getxattr(itself.c_str(), kWhiteout, nullptr, 0) >= 0;
}

std::map<std::string, std::string> attributes_of(int fd) {
  std::map<std::string, std::string> found;
  std::string names(kMostAttribute, '\0');
  ssize_t length = flistxattr(fd, names.data(), names.size());
  if (length <= 0) return found;
  names.resize(static_cast<size_t>(length));
  for (std::string_view name : text::split_in_place(names, '\0')) {
    if (name.empty() || !belongs_to_state(name)) continue;
    std::string key(name), value(kMostAttribute, '\0');
    ssize_t size = fgetxattr(fd, key.c_str(), value.data(), value.size());
    if (size < 0) continue;
    value.resize(static_cast<size_t>(size));
    found.emplace(std::move(key), std::move(value));
  }
  return found;
}

}  // namespace ringwall::review
