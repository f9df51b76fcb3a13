#include "processes/process_list.h"

#include "base/file.h"
#include "processes/sandbox_processes.h"

namespace ringwall::processes {

std::vector<ListedProcess> list_processes_by_name(pid_t init, size_t most) {
  std::vector<ListedProcess> out;
  if (init <= 0) return out;
  for (pid_t pid : list_processes(init)) {
    if (out.size() >= most) break;
    auto name = file::read("/proc/" + std::to_string(pid) + "/comm", 64);
    if (!name) continue;  // it has ended
    while (name->ends_with('\n'))
      name->pop_back();
    out.push_back({pid, std::move(*name)});
  }
  return out;
}

}  // namespace ringwall::processes
