#include "hand/caller_memory.h"

#include <limits.h>
#include <sys/uio.h>

#include <algorithm>
#include <cstring>

namespace ringwall::hand {
namespace {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kFirstLook = 256;  // most paths are shorter

ssize_t copy(pid_t process, uint64_t from, void* to, uint64_t bytes) {
  iovec ours{to, bytes};
  iovec theirs{reinterpret_cast<void*>(from), bytes};
  return process_vm_readv(process, &ours, 1, &theirs, 1, 0);
}

}  // namespace

bool copy_from_caller(pid_t caller, uint64_t address, void* to, size_t bytes) {
  return copy(caller, address, to, bytes) == static_cast<ssize_t>(bytes);
}

// A piece at a time, none across a page, since the next one may be missing.
std::optional<std::string> read_callers_text(pid_t caller, uint64_t address) {
  char text[PATH_MAX];
  uint64_t have = 0;
  uint64_t want = kFirstLook;
  while (have < sizeof text) {
    uint64_t from = address + have;
    uint64_t bytes = std::min({want, kPage - from % kPage, sizeof text - have});
    ssize_t count = copy(caller, from, text + have, bytes);
    if (count <= 0) return std::nullopt;
    size_t length = have + strnlen(text + have, static_cast<size_t>(count));
    if (length < have + static_cast<size_t>(count)) return std::string(text, length);
    have += static_cast<uint64_t>(count);
    want = kPage;
  }
  return std::nullopt;
}

}  // namespace ringwall::hand
