// Watches what the kernel does not keep within bounds: all memory of a run together where there is
// no cgroup, growth on disk, and time. Also notices when the kernel refuses more, so that the
// person is told why a build fails.
//
// The supervisor calls `look` when `next_look` says so; a look takes microseconds while a run keeps
// well below its limits, and on average all looks take at most a fiftieth of one processor. That is
// too little when a run makes itself hard to measure and grows meanwhile: then the watch wants it
// to stand still, and measures without a break.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "events/event.h"
#include "limits/cgroup.h"
#include "limits/limits.h"
#include "processes/growth.h"
#include "processes/sandbox_processes.h"

namespace ringwall::processes {

struct WatchInputs {
  std::string run;  // its name
  limits::Limits limits;
  pid_t init = 0;                          // pid 1 of the sandbox, as the host sees it
  const limits::Cgroup* cgroup = nullptr;  // that keeps the memory; null: none
  std::vector<std::string> home;           // what persists of the home, on disk
  std::vector<std::string> workspace;      // and every other folder that may be written
  std::vector<std::string> in_memory;      // paths inside: /tmp, /dev/shm, the home
};

class LimitWatch {
 public:
  explicit LimitWatch(WatchInputs inputs);

  // Monotonic nanoseconds; 0: there is nothing to watch.
  int64_t next_look() const { return next_look_; }

  // Each limit is told once, and again when the run, let go on, has used as much again.
  std::vector<events::LimitReached> look();

  // The number of processes and threads, when it has passed another mark.
  std::optional<uint64_t> take_burst() { return std::exchange(burst_, std::nullopt); }

  // Everything inside should stand still until a later look says otherwise. Nobody is told: it may
  // have been others who used so much.
  bool wants_stillness() const;

  // When the run has ended: what it may have ended by. `exit_status` is as a shell says it.
  std::vector<events::LimitReached> last_look(int exit_status);

 private:
  using Then = events::LimitReached::Then;
  struct Host {
    uint64_t memory_used = 0;
    uint64_t memory_left = 0;
    uint64_t memory_total = 0;
    uint64_t tasks = 0;
    uint64_t files = 0;  // open ones
  };

  bool has_work() const;
  void look_at_time(int64_t now);
  static Host look_at_host();
  bool is_alarming(const Host& host) const;
  void look_at_kernel(const Host& host);
  void look_at_memory(const Host& host);
  void judge_memory(bool done);
  void look_at_kills();
  void look_at_processes(const Host& host);
  void look_at_open_files(const Host& host);
  void look_at_folders();
  void look_at_growth(Growth& growth, const char* limit, int64_t nanoseconds);

  const std::vector<pid_t>& processes();
  const Usage& rough_usage();
  void tell(const char* limit, Then then, std::string what);
  bool told(const char* limit) const { return told_.contains(limit); }
  void come_back(uint64_t bytes_left);
  void plan_next_look(int64_t began);

  WatchInputs inputs_;
  Growth home_, workspace_;
  int64_t deadline_ = 0;        // of the time limit; 0: none, or over
  uint64_t memory_most_;        // moves up when the run is let go on
  uint64_t rough_allowed_ = 0;  // memory as counted quickly, up to which no exact count is needed
  std::unique_ptr<ExactUsage> count_;
  uint64_t rough_at_count_ = 0;  // when it began
  Host host_;                    // at the last look at everything, or when the count began
  bool urgent_ = false;          // memory is short, or gets less quickly
  uint64_t in_folders_ = 0;      // bytes in folders in memory
  uint64_t kills_ = 0;
  uint64_t next_mark_ = 1024;  // of processes and threads
  std::optional<uint64_t> burst_;
  std::set<std::string> told_;

  int64_t next_look_ = 0;
  int64_t pause_ = 0;             // until the next look, as the parts of this one want it
  int64_t credit_;                // processor time that looks may still take
  int64_t accounted_;             // when credit was last given
  std::vector<pid_t> processes_;  // of this look
  bool listed_ = false;
  std::optional<Usage> rough_;  // of this look
  std::vector<events::LimitReached> reached_;
};

}  // namespace ringwall::processes
