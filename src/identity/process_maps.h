// What a process has mapped, as /proc tells it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ringwall::identity {

// A file as the kernel names it in /proc/PID/maps. On some filesystems that is another device than
// the one that stat names.
struct MappedFile {
  uint64_t device = 0;
  uint64_t inode = 0;
  auto operator<=>(const MappedFile&) const = default;
};

struct Mapping {
  uint64_t start = 0;
  uint64_t end = 0;
  bool is_executable = false;
  MappedFile file;   // inode 0: memory without a file
  std::string path;  // as the reader sees it; chosen by the inside
};

// `processes` is a folder of /proc. Empty if the process is gone or cannot be read.
std::vector<Mapping> read_maps(int processes, pid_t pid);

// How the maps of a process that maps `fd` name it.
std::optional<MappedFile> as_mapped(int processes, int fd);

}  // namespace ringwall::identity
