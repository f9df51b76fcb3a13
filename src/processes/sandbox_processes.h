// The processes of one sandbox as the host sees them: who they are and what they use. Everything
// here is a look into /proc from outside; nothing that a process could say about itself is taken.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ringwall::processes {

// Below pid 1 of the sandbox (its number on the host), which is not among them.
std::vector<pid_t> list_processes(pid_t init);

// Any one of them, 0 if there is none: much quicker.
pid_t find_process(pid_t init);

struct Usage {
  uint64_t anonymous = 0;  // bytes, swapped ones included
  uint64_t shared = 0;     // bytes of shared memory
  uint64_t tasks = 0;      // processes and threads
};

// Quick, and too much where processes share memory.
Usage read_rough_usage(const std::vector<pid_t>& processes);

// Each shared page counted once, in parts: walks page tables, a millisecond per 100 MB or so. What
// thousands of processes share is walked for each of them, so this goes in steps.
class ExactUsage {
 public:
  explicit ExactUsage(std::vector<pid_t> processes) : left_(std::move(processes)) {}

  // Goes on until `deadline` (monotonic), by one process at least. True if it is done.
  bool go_on(int64_t deadline);

  const Usage& sum() const { return sum_; }

 private:
  std::vector<pid_t> left_;
  Usage sum_;
};

// Where /proc lists what a process has open: one folder, or more if threads have tables of their
// own.
std::vector<std::string> list_file_tables(pid_t process);

// By its first thread's table. Kernels before 6.2 do not say: 0.
uint64_t count_open_files(pid_t process);

// False for a thread that has ended, also if nobody has taken note of its end yet. `folder` is one
// of /proc.
bool is_alive(const std::string& folder);

// How full a folder in memory is that only the sandbox sees, through one of its processes.
struct Fill {
  uint64_t bytes = 0;
  bool no_space = false;
  bool no_files = false;
};
Fill read_fill(pid_t process, const std::string& path_inside);

}  // namespace ringwall::processes
