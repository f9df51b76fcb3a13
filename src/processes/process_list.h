// The processes of a sandbox by name, as the host's /proc shows them.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace ringwall::processes {

struct ListedProcess {
  pid_t pid = 0;     // on the host
  std::string name;  // as the kernel has it: chosen by the program
};

// Below pid 1 of the sandbox (its number on the host); at most so many.
std::vector<ListedProcess> list_processes_by_name(pid_t init, size_t most = 200);

}  // namespace ringwall::processes
