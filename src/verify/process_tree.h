// Which processes descend from which, as /proc of this host shows it.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string_view>
#include <vector>

namespace ringwall::verify {

// `top` and everything below it, without those that have ended and only wait to be reaped.
class ProcessTree {
 public:
  static ProcessTree read();
  std::vector<pid_t> from(pid_t top) const;
  std::vector<pid_t> children_of(pid_t parent) const;
  // The child with that first word on its command line; none if there is no such one, or /proc
  // hides it.
  std::optional<pid_t> child_named(pid_t parent, std::string_view word) const;

 private:
  struct Kinship {
    pid_t parent;
    pid_t child;
  };
  std::vector<Kinship> kinships_;  // sorted by parent
};

}  // namespace ringwall::verify
