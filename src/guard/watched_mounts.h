// The mounts of a sandbox, each marked so that the kernel asks us whenever somebody opens a file
// there. Only the sandbox's own: the same files by the host's mounts are none of our business.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ringwall::guard {

struct MountFacts {
  uint64_t id = 0;
  uint64_t parent = 0;
  std::string device;
  std::string root;  // which folder of the filesystem it shows
  std::string point;
  std::string type;
  bool read_only = false;
  bool no_exec = false;
};

// Of a file like /proc/PID/mountinfo. Lines that are none are an error.
Result<std::vector<MountFacts>> parse_mounts(std::string_view text);

// Read-only, and nothing of it can be written to by another mount of the same sandbox.
bool is_system(const MountFacts& mount, const std::vector<MountFacts>& all);

struct WatchedMount {
  bool read_only = false;
  bool is_system = false;
};

// By the mount's number. What is not watched does not run: mounts that a server answers for, those
// of the kernel's own views, those below which nothing may run anyway.
Result<std::map<uint64_t, WatchedMount>> watch_mounts(int group, pid_t first_process);

// Of an opened file; 0 if it cannot be told.
uint64_t mount_of(int fd);

}  // namespace ringwall::guard
