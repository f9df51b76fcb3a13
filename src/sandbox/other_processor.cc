#include "sandbox/other_processor.h"

#include <cstring>

namespace ringwall::sandbox {
namespace {

// 0: ourselves.
bool let_run_as_before(pid_t process, const cpu_set_t& before) {
  // All there are, also those that come later: so it is with whoever was never kept to some.
  cpu_set_t now;
  memset(&now, 0xff, sizeof now);
  bool is_done = sched_setaffinity(process, sizeof now, &now) == 0 &&
                 sched_getaffinity(process, sizeof now, &now) == 0 && CPU_EQUAL(&now, &before);
  return is_done || sched_setaffinity(process, sizeof before, &before) == 0;
}

// Where we may run, if that is known and is more than here.
bool read_processors(size_t& here, cpu_set_t& allowed) {
  int processor = sched_getcpu();
  if (processor < 0 || processor >= CPU_SETSIZE) return false;
  here = static_cast<size_t>(processor);
  return sched_getaffinity(0, sizeof allowed, &allowed) == 0 && CPU_COUNT(&allowed) > 1;
}

}  // namespace

void OtherProcessor::move(pid_t process) {
  size_t here = 0;
  if (!read_processors(here, before_)) return;
  cpu_set_t others = before_;
  CPU_CLR(here, &others);
  has_moved_ = sched_setaffinity(process, sizeof others, &others) == 0;
}

bool OtherProcessor::free_own_process() const {
  return !has_moved_ || let_run_as_before(0, before_);
}

void move_to_own_processor(pid_t process) {
  size_t here = 0;
  cpu_set_t before;
  if (!read_processors(here, before)) return;
  cpu_set_t own;
  CPU_ZERO(&own);
  CPU_SET(here, &own);
  if (sched_setaffinity(process, sizeof own, &own) == 0) (void)let_run_as_before(process, before);
}

}  // namespace ringwall::sandbox
