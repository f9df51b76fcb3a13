// Which file it is, whatever its name: to tell whether a name still stands for the file that was
// opened by it, and whether two names are one file.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>

#include <compare>
#include <string>

#include "base/clock.h"

namespace ringwall::file {

// As long as the file is there and the machine runs: numbers are given again, and a device may have
// another one after the next start.
struct Id {
  dev_t device = 0;
  ino_t number = 0;
  auto operator<=>(const Id&) const = default;
};

inline Id id_of(const struct stat& facts) { return {facts.st_dev, facts.st_ino}; }

inline bool is_same(const struct stat& a, const struct stat& b) { return id_of(a) == id_of(b); }

inline bool is_same(int a, int b) {
  struct stat one, other;
  return fstat(a, &one) == 0 && fstat(b, &other) == 0 && is_same(one, other);
}

// `now` is what had that id at `when`, by the wall clock. The top of every filesystem has the same
// number, but a device may have another one after the machine was started anew.
inline bool is_still(const struct stat& now, const Id& id, int64_t when) {
  return now.st_ino == id.number && (now.st_dev == id.device || when < clock::start_of_machine());
}

// Somebody may have put another there since `fd` was opened. Follows no link.
inline bool still_names(int folder, const std::string& name, int fd) {
  struct stat there, here;
  return fstatat(folder, name.c_str(), &there, AT_SYMLINK_NOFOLLOW) == 0 && fstat(fd, &here) == 0 &&
         is_same(there, here);
}

}  // namespace ringwall::file
