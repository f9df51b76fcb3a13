#include "base/processor_turns.h"

#include <sched.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ringwall {
namespace {

// The kernel's own header of it cannot be read beside libc's.
struct SchedulingAttributes {
  uint32_t size;
  uint32_t policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime;
  uint64_t deadline;
  uint64_t period;
  uint32_t util_min;
  uint32_t util_max;
};

constexpr uint64_t kLongTurn = 12'000'000;  // nanoseconds
constexpr uint64_t kUsualTurn = 0;          // the kernel's own

void set_turn(uint64_t nanoseconds) {
  SchedulingAttributes attributes{};
  if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) < 0) return;
  // The person may have chosen another one, in which this number means something else.
  if (attributes.policy != SCHED_OTHER && attributes.policy != SCHED_BATCH) return;
  attributes.runtime = nanoseconds;
  (void)syscall(SYS_sched_setattr, 0, &attributes, 0);
}

}  // namespace

void take_long_turns() { set_turn(kLongTurn); }

void take_usual_turns() { set_turn(kUsualTurn); }

}  // namespace ringwall
