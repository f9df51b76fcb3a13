// Stops everything inside, and lets it go on as if nothing had been. For pid 1.
//
// While the broker looks at what was planted, nobody may plant it again. Those who stop are not
// asked and not told: what stood before stays stopped, parents stand before their children are
// stopped, and children go on before their parents, so that no shell inside sees a stopped job.
// What cannot be kept from them: a handler of SIGCONT runs, who waits with WCONTINUED is told, and
// a tracer sees the signals.
#pragma once

#include <sys/types.h>

#include <set>

#include "base/standing_tasks.h"

namespace ringwall::sandbox {

// Where every task is traced by an exec stop: `standing` says which of them stand.
void take_word_of_exec_stop(StandingTasks standing);

class Freeze {
 public:
  bool holds() const { return holds_; }

  // True when every thread of the pid namespace but our own stands, or waits in the kernel for one
  // that does. False if some did not stop in time.
  bool stop();

  // A process can have itself woken, by a timer for example, and start others. Stops them again;
  // false if that was necessary.
  bool hold();

  void go_on();

  // This group stood before, and is wanted to go on: it does when all do.
  void go_on_with(pid_t group);

  // That one ends, and this one goes on in its place.
  void take_over(Freeze& other);

 private:
  bool holds_ = false;
  std::set<pid_t> stood_before_;
};

}  // namespace ringwall::sandbox
