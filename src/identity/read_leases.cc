#include "identity/read_leases.h"

#include <fcntl.h>
#include <signal.h>

#include "base/read_lease.h"

namespace ringwall::identity {
namespace {

static_assert(kLeaseSignal == SIGIO);

// Each holds a descriptor; who runs from more files than this runs no further ones.
constexpr size_t kMostHeld = 4096;

}  // namespace

bool take_read_lease(int fd) {
  return fcntl(fd, F_SETSIG, kLeaseSignal) == 0 && file::take_read_lease(fd);
}

std::optional<MappedFile> ReadLeases::hold(Fd fd) {
  auto file = as_mapped(processes_, fd.get());
  if (!file) return std::nullopt;
  if (auto known = held_.find(*file); known != held_.end()) {
    // One that is being broken says so: it is a lease no longer.
    bool holds = fcntl(known->second.get(), F_GETLEASE) == F_RDLCK;
    return holds ? file : std::nullopt;
  }
  if (held_.size() >= kMostHeld || !take_read_lease(fd.get())) return std::nullopt;
  held_.emplace(*file, std::move(fd));
  return file;
}

std::optional<MappedFile> ReadLeases::file_of(int fd) const {
  for (const auto& [file, held] : held_) {
    if (held.get() == fd) return file;
  }
  return std::nullopt;
}

void ReadLeases::let_go(int fd) {
  std::erase_if(held_, [fd](const auto& one) { return one.second.get() == fd; });
}

}  // namespace ringwall::identity
