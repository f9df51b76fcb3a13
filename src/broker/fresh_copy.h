// Gives a file a new inode: whoever holds the old one open, or opened it in a moment when that was
// possible, holds something that nobody reads any more.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace ringwall::broker {

struct FileCopy {
  std::string text;
  mode_t mode = 0644;
  uid_t owner = 0;
  gid_t group = 0;
};

// `name` in the folder `parent`, for reading; nothing if it is no ordinary file.
Fd open_file(int parent, const std::string& name);

// An ordinary file, from its beginning. A larger one than `most` is an error.
inline constexpr size_t kMostCopied = 16 << 20;
Result<FileCopy> read_copy(int file, size_t most = kMostCopied);

// Comes to `name` in the folder `parent`, whatever lies there. Gives the new inode, for nothing but
// to be known again: the filesystem gives its number to no other file while it is held.
Result<Fd> put_fresh_copy(int parent, const std::string& name, const FileCopy& copy);

}  // namespace ringwall::broker
