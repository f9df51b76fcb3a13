// One opened file, looked at for its content while nobody can change it.
#pragma once

#include <sys/stat.h>

#include <mutex>
#include <optional>
#include <unordered_map>

#include "base/digest.h"
#include "base/result.h"
#include "guard/kernel_gate.h"

namespace ringwall::guard {

// Programs and libraries of Linux, and those of other systems that are mapped to be executed. Not
// object files, which a build opens by the thousand.
bool looks_like_code(int fd);

// Digests of file states that any sandbox has asked for. Used by many threads.
class DigestCache {
 public:
  std::optional<Digest> find(const rw_file_key& key) const;
  void keep(const rw_file_key& key, const Digest& digest);

 private:
  struct KeyHash {
    size_t operator()(const rw_file_key& key) const;
  };
  struct KeyEqual {
    bool operator()(const rw_file_key& a, const rw_file_key& b) const;
  };
  mutable std::mutex mutex_;
  std::unordered_map<rw_file_key, Digest, KeyHash, KeyEqual> digests_;
};

struct ExaminedFile {
  rw_file_key key;
  Digest digest;
  uint64_t generation = 0;
  bool in_memory = false;  // whose change time does not tell of all changes
};

// Under a lease that is held.
Result<ExaminedFile> examine(int fd, const struct stat& info, const KernelGate& gate,
                             DigestCache& cache);

}  // namespace ringwall::guard
