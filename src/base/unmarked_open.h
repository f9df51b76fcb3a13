// Opening without a trace: a time of access is a write to the disk, for whoever works there
// meanwhile.
#pragma once

#include <cerrno>

#include "base/syscalls.h"

namespace ringwall::sys {

// openat2, but O_NOATIME is left out where the kernel refuses it: on what is not the caller's own.
inline int openat2_unmarked(int dir, const char* path, open_how how) {
  int fd = openat2(dir, path, how);
  if (fd >= 0 || errno != EPERM || (how.flags & O_NOATIME) == 0) return fd;
  how.flags &= ~uint64_t{O_NOATIME};
  return openat2(dir, path, how);
}

}  // namespace ringwall::sys
