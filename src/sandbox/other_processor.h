// Has a process that was just started run beside us. The kernel may queue it behind us although
// another processor is idle.
#pragma once

#include <sched.h>
#include <sys/types.h>

namespace ringwall::sandbox {

class OtherProcessor {
 public:
  // From the one that we run on, if we may use another. Where it stays after that is the kernel's
  // business.
  void move(pid_t process);

  // Called by the process that was moved, when move() has returned: where it may run is as it was,
  // for all that it starts. False: it could not be made so.
  bool free_own_process() const;

 private:
  cpu_set_t before_{};
  bool has_moved_ = false;
};

}  // namespace ringwall::sandbox
