// Which processor a process that was just started runs on. The kernel may queue it behind whoever
// is at work although another processor is idle, and leave it there for milliseconds.
#pragma once

#include <sched.h>
#include <sys/types.h>

namespace ringwall::sandbox {

class OtherProcessor {
 public:
  // Has it run beside us: away from the one that we run on, if we may use another.
  void move(pid_t process);

  // Called by the process that was moved, when move() has returned: where it may run is as it was,
  // for all that it starts. False: it could not be made so.
  bool free_own_process() const;

 private:
  cpu_set_t before_{};
  bool has_moved_ = false;
};

// Has it begin where we are, for one who sleeps soon: the other processors are for the sandbox.
void move_to_own_processor(pid_t process);

}  // namespace ringwall::sandbox
