// Which tasks stand stopped by a signal, told by the exec stop to pid 1: a traced task looks the
// same in /proc whether it was stopped or is only being looked at. One bit for each task number of
// the sandbox, in memory that both share; nothing else has it.
#pragma once

#include <sys/mman.h>
#include <sys/types.h>

#include <atomic>
#include <cstdint>

#include "base/result.h"

namespace ringwall {

// What pid 1 asks with, as the first argument of membarrier, which knows no such command: it is
// answered when the exec stop has seen all that happened before.
inline constexpr int kAskExecStop = 0x52570001;

class StandingTasks {
 public:
  // Before the processes that share it are made. Never unmapped.
  static Result<StandingTasks> make() {
    void* memory = mmap(nullptr, kTasks / 8, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return fail_errno("cannot share memory with the exec stop");
    StandingTasks made;
    made.words_ = static_cast<std::atomic<uint64_t>*>(memory);
    return made;
  }

  explicit operator bool() const { return words_ != nullptr; }

  void note(pid_t task, bool stands) const {
    if (words_ == nullptr || !is_known(task)) return;
    uint64_t bit = uint64_t{1} << (task % 64);
    stands ? words_[task / 64].fetch_or(bit) : words_[task / 64].fetch_and(~bit);
  }
  bool stands(pid_t task) const {
    return is_known(task) && (words_[task / 64].load() >> (task % 64) & 1) != 0;
  }

 private:
  static constexpr pid_t kTasks = 1 << 22;  // the most that the kernel counts
  static bool is_known(pid_t task) { return task > 0 && task < kTasks; }

  std::atomic<uint64_t>* words_ = nullptr;
};

}  // namespace ringwall
