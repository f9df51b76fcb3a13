// Files and folders: reading and writing whole files, making folders, and opening paths that other
// people may be changing meanwhile.
#pragma once

#include <sys/stat.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace ringwall::file {

Result<std::string> read(const std::string& path, size_t most = 1 << 20);
Result<std::string> read_all(int fd, size_t most = 1 << 20);
Status write_all(int fd, std::string_view data);

// Writes an existing file such as those of /proc in one write call.
Status write_existing(const std::string& path, std::string_view data);

// Makes (mode 0600 or as given) or replaces `name` below `dir` by rename, so that a reader sees old
// or new.
Status replace_at(int dir, const std::string& name, std::string_view data, mode_t mode = 0600);

// Opens or makes every folder on the way, following no symlink below `base`. Mode of new ones:
// `mode`.
Result<Fd> make_dirs_at(int base, std::string_view relative, mode_t mode = 0700);
Result<Fd> make_dirs(const std::string& absolute, mode_t mode = 0700);

// Opens what lies below `dir` and nothing else: no "..", no symlink, no magic link.
Result<Fd> open_beneath(int dir, const std::string& relative, int flags, mode_t mode = 0);

Result<Fd> open(const std::string& path, int flags, mode_t mode = 0);

// Names in a folder, without "." and "..", with their d_type. Order as the filesystem gives it.
struct Entry {
  std::string name;
  unsigned char type;
};
Result<std::vector<Entry>> list(int dir_fd);

bool exists(const std::string& path);
Result<std::string> read_link(const std::string& path);

}  // namespace ringwall::file
