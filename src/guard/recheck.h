// A process whose mappings could not be looked at in the kernel: another thread was changing them
// just then.
#pragma once

#include <sys/types.h>

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "bpf/layout.h"
#include "guard/kernel_gate.h"

namespace ringwall::guard {

// Looks again, in a thread of its own: it opens files, which the thread of the scope is asked
// about.
class Recheck {
 public:
  // `refused` is called by that thread, for processes that were killed.
  Recheck(const KernelGate& gate, const VerdictTable& table,
          std::function<void(const rw_refusal&)> refused);
  ~Recheck();

  // RW_UNSURE: goes on only when all that it may execute is known. RW_UNSEEN: goes on meanwhile.
  // Many of one process are one.
  void add(const rw_refusal& refusal);

 private:
  void run();

  const KernelGate& gate_;
  const VerdictTable& table_;
  const std::function<void(const rw_refusal&)> refused_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<pid_t, rw_refusal> waiting_;
  bool is_over_ = false;
  std::thread thread_;  // from the first on
};

}  // namespace ringwall::guard
