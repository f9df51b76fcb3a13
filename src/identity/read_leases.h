// Read leases on files that the inside runs from and could write: as long as one is held, whoever
// opens the file for writing waits until we have let go of it, and we are told by a signal. (The
// kernel gives the same to programs that are executed, but not to libraries.)
#pragma once

#include <map>

#include "base/fd.h"
#include "identity/process_maps.h"

namespace ringwall::identity {

inline constexpr int kLeaseSignal = 29;  // SIGIO; its ssi_fd says which

// One lease on `fd`. False if somebody has the file open for writing, or it cannot be had.
bool take_read_lease(int fd);

class ReadLeases {
 public:
  explicit ReadLeases(int processes) : processes_(processes) {}

  // Nobody can change what `fd` shows from here on. None if that cannot be had.
  std::optional<MappedFile> hold(Fd fd);

  // The file whose lease is wanted back; let go of it when nobody runs from it any more.
  std::optional<MappedFile> file_of(int fd) const;
  void let_go(int fd);
  void let_go(const MappedFile& file) { held_.erase(file); }

 private:
  int processes_;
  std::map<MappedFile, Fd> held_;
};

}  // namespace ringwall::identity
