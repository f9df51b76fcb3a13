// What tells whether a file is still the one that was hashed: its owner can set mtime as he likes,
// but not ctime.
#pragma once

#include <sys/stat.h>

#include <compare>
#include <cstdint>

namespace ringwall::identity {

struct FileKey {
  uint64_t device = 0;
  uint64_t inode = 0;
  int64_t ctime = 0;  // nanoseconds
  uint64_t size = 0;

  auto operator<=>(const FileKey&) const = default;
};

inline FileKey key_of(const struct stat& info) {
  return {info.st_dev, info.st_ino, info.st_ctim.tv_sec * 1'000'000'000 + info.st_ctim.tv_nsec,
          static_cast<uint64_t>(info.st_size)};
}

}  // namespace ringwall::identity
