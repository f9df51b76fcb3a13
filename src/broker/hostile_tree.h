// Files and folders that an agent made and may still be writing to, through descriptors it holds:
// looked through and copied by descriptor, within bounds, without following a link, entering
// another mount or waiting for anybody.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/file_id.h"
#include "base/result.h"

namespace ringwall::broker {

struct Bounds {
  uint64_t bytes;
  size_t entries;
  size_t depth = 64;  // each level of a copy holds two descriptors
};

// Calls `visit` for `name` and, if it is a folder, for everything in it, until `visit` says false.
// Paths begin with `name`. True if everything was seen; closed folders stay closed.
using Visit = std::function<bool(const std::string& path, const struct stat& facts)>;
bool walk_hostile(int dir, const std::string& name, const Bounds& bounds, const Visit& visit);

struct Copied {
  uint64_t bytes = 0;
  size_t entries = 0;
  file::Id id;                        // of the new file, folder or link
  std::vector<std::string> left_out;  // sockets, FIFOs and devices in a folder
};

// Makes `to` out of `from`, in new inodes: what was opened before leads nowhere. Modes are kept but
// for setuid, setgid and sticky; the owner is kept if we are root. `from` is opened to its owner
// where it was closed. After an error, whatever was made of `to` is still there.
Result<Copied> copy_hostile(int from_dir, const std::string& from, int to_dir,
                            const std::string& to, const Bounds& bounds);

// The inside may close a folder, or the one around it, so that its owner cannot move it. This opens
// both, and puts their modes back at the end.
class OpenedUp {
 public:
  OpenedUp() = default;
  OpenedUp(const OpenedUp&) = delete;
  OpenedUp& operator=(const OpenedUp&) = delete;
  ~OpenedUp();

  void open(int parent, const std::string& name);

 private:
  struct Change {
    Fd fd;
    mode_t before;
  };
  void add(Fd folder);

  std::vector<Change> changes_;
};

// Works on a descriptor of any kind, also one that was opened by O_PATH.
Status change_mode(int fd, mode_t mode);

}  // namespace ringwall::broker
