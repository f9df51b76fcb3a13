// What processes are called, for messages.
#pragma once

#include <sys/types.h>

#include <string>

namespace ringwall::guard {

struct ProcessNames {
  std::string own;
  std::string parent;
};
// Empty where it is gone.
ProcessNames names_of(pid_t pid);

}  // namespace ringwall::guard
