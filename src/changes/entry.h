// What lies at a path of a tree: the facts by which one state of it is told from another.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <string>

#include "base/result.h"

namespace ringwall::changes {

enum class EntryType : uint8_t { none, file, folder, link, fifo, other };

struct EntryFacts {
  EntryType type = EntryType::none;
  uint32_t mode = 0;  // permission bits, with setuid, setgid and sticky
  uint64_t device = 0;
  uint64_t inode = 0;
  uint64_t links = 0;
  uint64_t size = 0;      // of a file, and of a link's text
  int64_t modified = 0;   // nanoseconds
  int64_t changed = 0;    // the inode: content, mode, owner, names
  uint64_t raw_type = 0;  // S_IFMT, for messages about what is `other`

  bool exists() const { return type != EntryType::none; }
  bool operator==(const EntryFacts&) const = default;
};

EntryFacts facts_of(const struct stat& seen);

// Without following a link at the end; what is not there, or below something that is no folder, is
// EntryType::none. No link on the way is followed either.
Result<EntryFacts> look_at(int tree, const std::string& relative);

// The moment that a change made now in this folder would have as its ctime, by the clock of the
// folder's own filesystem, and without a trace in the folder.
Result<int64_t> read_clock_of(int folder);
// For who may make no file there, not even an unnamed one: by the clock that filesystems of this
// kernel take their times from. Never later than the former.
Result<int64_t> read_kernels_clock();

}  // namespace ringwall::changes
