#include "sandbox/other_processor.h"

#include <cstring>

namespace ringwall::sandbox {

void OtherProcessor::move(pid_t process) {
  int here = sched_getcpu();
  if (here < 0 || here >= CPU_SETSIZE) return;
  if (sched_getaffinity(0, sizeof before_, &before_) < 0) return;
  cpu_set_t others = before_;
  CPU_CLR(static_cast<size_t>(here), &others);
  if (CPU_COUNT(&others) == 0) return;
  has_moved_ = sched_setaffinity(process, sizeof others, &others) == 0;
}

bool OtherProcessor::free_own_process() const {
  if (!has_moved_) return true;
  // All there are, also those that come later: so it is with whoever was never kept to some.
  cpu_set_t now;
  memset(&now, 0xff, sizeof now);
  bool is_done = sched_setaffinity(0, sizeof now, &now) == 0 &&
                 sched_getaffinity(0, sizeof now, &now) == 0 && CPU_EQUAL(&now, &before_);
  return is_done || sched_setaffinity(0, sizeof before_, &before_) == 0;
}

}  // namespace ringwall::sandbox
