#include "base/read_lease.h"

#include <fcntl.h>

#include <cerrno>

namespace ringwall::file {

bool take_read_lease(int fd) { return fcntl(fd, F_SETLEASE, F_RDLCK) == 0; }

ReadLease::ReadLease(int fd) : fd_(fd), is_held_(take_read_lease(fd)) {}

ReadLease::~ReadLease() {
  if (is_held_) fcntl(fd_, F_SETLEASE, F_UNLCK);
}

Writers probe_writers(int fd) {
  if (ReadLease lease(fd); lease.is_held()) return Writers::none;
  return errno == EAGAIN ? Writers::some : Writers::unknown;
}

}  // namespace ringwall::file
