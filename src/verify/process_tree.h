// Which processes descend from which, as /proc of this host shows it.
#pragma once

#include <sys/types.h>

#include <vector>

namespace ringwall::verify {

// `top` and everything below it, without those that have ended and only wait to be reaped.
class ProcessTree {
 public:
  static ProcessTree read();
  std::vector<pid_t> from(pid_t top) const;

 private:
  struct Kinship {
    pid_t parent;
    pid_t child;
  };
  std::vector<Kinship> kinships_;  // sorted by parent
};

}  // namespace ringwall::verify
