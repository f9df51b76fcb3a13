#include "changes/attributes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace ringwall::changes {
namespace {

constexpr std::string_view kUser = "user.";
constexpr std::string_view kOverlay = "user.overlay.";

bool is_owners(std::string_view name) {
  if (name.starts_with(kOverlay)) return false;
  return name.starts_with(kUser) || name.starts_with("system.posix_acl_");
}

bool has_none(int err) { return err == ENOTSUP || err == EPERM || err == ENODATA; }

// By its path, or by a descriptor that is open for reading.
struct Named {
  std::string path;
  int open = -1;

  ssize_t list(char* names, size_t size) const {
    return open < 0 ? listxattr(path.c_str(), names, size) : flistxattr(open, names, size);
  }
  ssize_t get(const char* name, char* value, size_t size) const {
    return open < 0 ? getxattr(path.c_str(), name, value, size)
                    : fgetxattr(open, name, value, size);
  }
};

Result<std::vector<std::string>> list_names(const Named& entry) {
  std::string names;
  while (true) {
    ssize_t size = entry.list(nullptr, 0);
    if (size == 0 || (size < 0 && errno == ENOTSUP)) return std::vector<std::string>{};
    if (size < 0) return fail_errno("cannot list the attributes of a file");
    names.resize(static_cast<size_t>(size));
    size = entry.list(names.data(), names.size());
    if (size < 0 && errno == ERANGE) continue;  // it has got more meanwhile
    if (size < 0) return fail_errno("cannot list the attributes of a file");
    names.resize(static_cast<size_t>(size));
    break;
  }
  std::vector<std::string> found;
  for (size_t at = 0; at < names.size(); at = names.find('\0', at) + 1)
    found.emplace_back(names.c_str() + at);
  return found;
}

Result<std::string> read_value(const Named& entry, const std::string& name) {
  std::string value;
  while (true) {
    ssize_t size = entry.get(name.c_str(), nullptr, 0);
    if (size < 0) return fail_errno("cannot read an attribute of a file");
    value.resize(static_cast<size_t>(size));
    size = entry.get(name.c_str(), value.data(), value.size());
    if (size < 0 && errno == ERANGE) continue;
    if (size < 0) return fail_errno("cannot read an attribute of a file");
    value.resize(static_cast<size_t>(size));
    return value;
  }
}

Result<Attributes> read_named(const Named& entry) {
  TRY_ASSIGN(std::vector<std::string> names, list_names(entry));
  Attributes found;
  for (std::string& name : names) {
    if (!is_owners(name)) continue;
    auto value = read_value(entry, name);
    if (!value && has_none(value.error().err)) continue;
    if (!value) return std::unexpected(value.error());
    found.emplace_back(std::move(name), std::move(*value));
  }
  std::ranges::sort(found);
  return found;
}

timespec spec_of(int64_t nanoseconds) {
  constexpr int64_t kSecond = 1'000'000'000;
  int64_t rest = ((nanoseconds % kSecond) + kSecond) % kSecond;  // also before 1970
  return {(nanoseconds - rest) / kSecond, rest};
}

}  // namespace

std::string path_of(int entry) { return "/proc/self/fd/" + std::to_string(entry); }

Result<Attributes> read_attributes(int entry) { return read_named({path_of(entry)}); }

Result<Attributes> read_attributes_of_open(int entry) { return read_named({"", entry}); }

// NAME NUL SIZE NUL VALUE: a name holds no NUL, a value any bytes.
std::string pack(const Attributes& attributes) {
  std::string bytes;
  for (const auto& [name, value] : attributes)
    bytes += name + '\0' + std::to_string(value.size()) + '\0' + value;
  return bytes;
}

Result<Attributes> unpack(std::string_view bytes) {
  Attributes attributes;
  while (!bytes.empty()) {
    size_t name = bytes.find('\0'), number = bytes.find('\0', name + 1), size = 0;
    if (name == std::string_view::npos || number == std::string_view::npos)
      return fail("the attributes of a file came torn");
    auto read = std::from_chars(bytes.data() + name + 1, bytes.data() + number, size);
    if (read.ptr != bytes.data() + number || size > bytes.size() - number - 1)
      return fail("the attributes of a file came torn");
    attributes.emplace_back(bytes.substr(0, name), bytes.substr(number + 1, size));
    bytes.remove_prefix(number + 1 + size);
  }
  return attributes;
}

Status write_attributes(int entry, const Attributes& wanted) {
  TRY_ASSIGN(Attributes there, read_attributes(entry));
  if (there == wanted) return {};
  std::string path = path_of(entry);
  // Access lists last: they may take away the right that the person's own attributes need.
  Attributes ordered = wanted;
  std::ranges::stable_partition(ordered,
                                [](const auto& each) { return each.first.starts_with(kUser); });
  for (const auto& [name, value] : there) {
    bool stays = std::ranges::any_of(wanted, [&](const auto& each) { return each.first == name; });
    if (!stays && removexattr(path.c_str(), name.c_str()) < 0 && errno != ENODATA)
      return fail_errno("cannot remove an attribute of a file");
  }
  for (const auto& [name, value] : ordered) {
    if (setxattr(path.c_str(), name.c_str(), value.data(), value.size(), 0) < 0)
      return fail_errno("cannot set an attribute of a file");
  }
  return {};
}

Result<bool> clean_attributes(int entry) {
  std::string path = path_of(entry);
  TRY_ASSIGN(std::vector<std::string> names, list_names({path}));
  for (const std::string& name : names) {
    // What a security module writes on every file is its own affair.
    bool is_label = name == "security.selinux" || name.starts_with("security.SMACK");
    if (!is_owners(name) && !name.starts_with(kOverlay) && !is_label) return false;
  }
  for (const std::string& name : names) {
    if (!name.starts_with(kOverlay)) continue;
    if (removexattr(path.c_str(), name.c_str()) < 0 && errno != ENODATA)
      return fail_errno("cannot remove an attribute of a file");
  }
  return true;
}

uint32_t harmless_mode(EntryType type, uint32_t mode) {
  return mode & (type == EntryType::folder ? 01777 : 0777);
}

Status set_mode(int entry, uint32_t mode) {
  if (chmod(path_of(entry).c_str(), mode) < 0) return fail_errno("cannot set a mode");
  return {};
}

Status set_modified(int entry, int64_t nanoseconds) {
  timespec times[2] = {{0, UTIME_OMIT}, spec_of(nanoseconds)};
  if (utimensat(AT_FDCWD, path_of(entry).c_str(), times, 0) < 0)
    return fail_errno("cannot set a time");
  return {};
}

Status set_modified_at(int folder, const std::string& name, int64_t nanoseconds) {
  timespec times[2] = {{0, UTIME_OMIT}, spec_of(nanoseconds)};
  if (utimensat(folder, name.c_str(), times, AT_SYMLINK_NOFOLLOW) < 0)
    return fail_errno("cannot set a time");
  return {};
}

}  // namespace ringwall::changes
