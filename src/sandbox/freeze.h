// Stops everything inside, and lets it go on as if nothing had been. For pid 1.
//
// While the broker looks at what was planted, nobody may plant it again. Those who stop are not
// asked and not told: what stood before stays stopped, and children go on before their parents, so
// that no shell inside sees a stopped job.
#pragma once

#include <sys/types.h>

#include <set>
#include <vector>

namespace ringwall::sandbox {

class Freeze {
 public:
  bool holds() const { return holds_; }

  // True when every thread of the pid namespace but our own stands. False if some did not stop in
  // time: they sleep in the kernel, and take no step before they have seen the signal.
  bool stop();

  // A process can have itself woken, by a timer for example. Stops it again; false if that was
  // necessary. Who was started since is left alone.
  bool hold();

  void go_on();

  // That one ends, and this one goes on in its place.
  void take_over(Freeze& other);

 private:
  bool holds_ = false;
  std::set<pid_t> stood_before_;
  std::vector<pid_t> stopped_;
};

}  // namespace ringwall::sandbox
