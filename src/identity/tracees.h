// The tasks that the exec stop holds, and what they report: a thin layer over waitpid and ptrace.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace ringwall::identity {

struct Report {
  pid_t task = 0;
  int status = 0;
};

// False before Linux 5.19: who is to be killed gets a signal by its number.
bool can_kill_by_ptrace();

class Tracees {
 public:
  // `processes` is the host's /proc.
  explicit Tracees(int processes) : processes_(processes) {}

  // What came first of what was not taken yet; without waiting.
  std::optional<Report> next();
  bool all_ended() const { return ended_; }

  void go_on(pid_t task, int signal = 0) const;
  void end(pid_t task) const;           // kills it, with all its threads
  void stay_stopped(pid_t task) const;  // in a group stop, until SIGCONT

  // Lets `task`, which stands at the beginning of a system call, make it; then it stands again, and
  // reports it. The second returns when that is so: false if it ended instead.
  bool make_call(pid_t task) const;
  bool step_over_call(pid_t task);

  // Every other task that shares the memory of `task` stands when this returns `held`, until its
  // report is taken by next().
  enum class Fellows { held, restless, ended };  // restless: some did not stop in time
  Fellows hold_fellows(pid_t task);
  bool has_fellows(pid_t task) const;

  // Returns when these, which were killed, have ended.
  void wait_for_end(const std::vector<pid_t>& tasks);

  // Who shares memory with whom, beside the threads of one process: `child` has its parent's, until
  // it starts a program or ends, whatever becomes of the parent.
  void note_vfork(pid_t parent, pid_t child);
  void note_vfork_done(pid_t parent) { waiting_.erase(parent); }
  // `child` has memory of its own, or is a thread.
  void note_fork(pid_t child, bool may_be_thread);
  // It was met before its parent told of it: until then it is taken to share the parent's memory.
  void note_early(pid_t child);
  // It ended, or starts a program.
  void forget(pid_t task);
  // Tasks that stand stopped report nothing until they are woken.
  void set_standing(std::function<bool(pid_t)> stands) { stands_ = std::move(stands); }

 private:
  std::optional<Report> wait(int flags);
  std::optional<Report> wait_until(int64_t deadline);
  std::vector<pid_t> threads_of(pid_t task) const;
  // None if they cannot be known.
  std::optional<std::vector<pid_t>> fellows_of(pid_t task) const;
  bool is_queued(pid_t task) const;
  bool is_dead(pid_t task) const;
  pid_t process_of(pid_t task) const;
  void join(pid_t process, pid_t child);
  void leave(pid_t process);

  int processes_;
  const bool kills_by_ptrace_ = can_kill_by_ptrace();
  bool ended_ = false;
  std::deque<Report> queue_;
  // Processes to the number of the memory that they share with others; none that has its own.
  std::unordered_map<pid_t, uint64_t> memories_;
  uint64_t last_memory_ = 0;
  std::unordered_set<pid_t> early_;    // taken to share memory
  std::unordered_set<pid_t> waiting_;  // for a vfork's child, in the kernel: they run nothing
  std::unordered_set<pid_t> threads_;  // perhaps: the others are the first of their process
  std::function<bool(pid_t)> stands_;
};

}  // namespace ringwall::identity
