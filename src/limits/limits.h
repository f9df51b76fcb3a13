// What one sandbox may use up. The kernel keeps the counts and the sizes of folders in memory; what
// it cannot keep without a cgroup (all memory together, growth on disk) is watched from outside by
// processes/limit_watch.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "policy/policy.h"

namespace ringwall::limits {

using policy::kNoLimit;

// The bounds of one folder in memory; 0: derived from the host's memory.
struct FolderInMemory {
  uint64_t bytes = 0;
  uint64_t files = 0;
};
FolderInMemory plan_folder_in_memory(const FolderInMemory& wanted, uint64_t memory_bytes);

struct Limits {
  // Kept by the kernel, for each process or for the sandbox's own user namespace.
  uint64_t processes = kNoLimit;  // besides pid 1
  uint64_t open_files = kNoLimit;
  uint64_t file_size = kNoLimit;
  uint64_t pending_signals = kNoLimit;
  uint64_t queue_bytes = kNoLimit;  // of POSIX message queues
  FolderInMemory tmp;               // each of /tmp, /dev/shm and the home
  // Kept by a cgroup where there is one.
  uint64_t memory = kNoLimit;
  bool memory_was_asked_for = false;  // only then a cgroup is worth its time
  uint64_t cpu = kNoLimit;            // thousandths of a processor
  uint64_t io = kNoLimit;             // bytes a second from the workspace's disk, and as many to it
  // Watched. 0: three quarters of what is free at the start.
  uint64_t home_growth = 0;
  uint64_t workspace_growth = 0;
  bool home_growth_lowers = false;  // never more than that, whatever is asked for
  bool workspace_growth_lowers = false;
  uint64_t milliseconds = kNoLimit;
  // Of files that were there before; see broker/deletion_count.h.
  uint64_t deleted_files = kNoLimit;
  uint64_t deleted_share = kNoLimit;  // thousandths
};

// What the caller and the host have.
struct LimitFacts {
  uint64_t memory_bytes = 0;
  uint64_t soft_processes = kNoLimit;
  uint64_t hard_processes = kNoLimit;
  uint64_t hard_files = kNoLimit;
  uint64_t hard_file_size = kNoLimit;
  uint64_t soft_signals = kNoLimit;
  uint64_t soft_queue_bytes = kNoLimit;
};
LimitFacts read_limit_facts(uint64_t memory_bytes);

// More than the caller himself may use is an error that names the field.
Result<Limits> plan_limits(const policy::Policy::Limits& wanted, const LimitFacts& host);

// In the child, while it has its capabilities and sees the host's /proc: what the kernel counts for
// the host's user too is bounded in the sandbox's own user namespace.
Status lower_quotas();

// In the child: first in line when the host runs out of memory. Whoever it starts inherits that.
Status offer_to_oom_killer();

// For pid 1. It keeps a few processes in reserve, so that a person can look into a sandbox whose
// processes are used up; `give_up_reserve` is for every process that it starts. `own` are ours that
// the kernel counts with those of the inside.
Status apply_limits(const Limits& limits);
bool give_up_reserve(const Limits& limits, uint64_t own);

// One row per limit, for --explain.
struct LimitRow {
  std::string_view key;  // of the policy
  std::string value;
  std::string_view kept_by;
};
std::vector<LimitRow> describe_limits(const Limits& limits, bool has_cgroup);

}  // namespace ringwall::limits
