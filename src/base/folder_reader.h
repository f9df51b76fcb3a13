// Lists a folder in few system calls: getdents64 into one big buffer that serves every folder of a
// walk, where libc's readdir would allocate a stream for each.
#pragma once

#include <dirent.h>

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/result.h"

namespace ringwall {

class FolderReader {
 public:
  struct Entry {
    std::string_view name;  // ends with a NUL, so its data() can be handed to the kernel
    uint8_t type;           // DT_REG and so on; DT_UNKNOWN only for what is gone already
  };

  FolderReader() : buffer_(new char[kBufferSize]) {}

  // Calls `use` with every Entry of `dir` but "." and "..". The names are gone after each call.
  // Fails with the kernel's errno alone; the caller knows the folder's name.
  template <class Use>
  Status read(int dir, Use&& use) {
    while (true) {
      Result<size_t> size = fill(dir);
      if (!size) return std::unexpected(size.error());
      if (*size == 0) return {};
      for (size_t at = 0; at < *size;) {
        Entry entry = take(dir, at);
        if (entry.name != "." && entry.name != "..") use(entry);
      }
    }
  }

 private:
  static constexpr size_t kBufferSize = 128 << 10;

  Result<size_t> fill(int dir);
  // The record at `at`, which moves on to the next.
  Entry take(int dir, size_t& at) const;

  std::unique_ptr<char[]> buffer_;
};

}  // namespace ringwall
