#include "verify/yardstick.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "base/clock.h"

namespace ringwall::verify {
namespace {

constexpr int64_t kMillisecond = 1'000'000;
constexpr int64_t kGrace = 600 * kMillisecond;  // that a command has after SIGTERM, by the clock
constexpr int64_t kWork = 400 * kMillisecond;   // the rest of the promised second
constexpr int64_t kMostWork = 4'000 * kMillisecond;
// With namespaces, mounts and helpers a process is that much more work to end than a plain one.
constexpr int64_t kWorth = 4;
constexpr int64_t kStops = 500 * kMillisecond;
constexpr int64_t kWorthOfStops = 10;  // the broker, the hand and pid 1 have a part in each

[[noreturn]] void wait_for_death(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (getppid() != parent) _exit(1);
  while (true)
    pause();
}

}  // namespace

Result<int64_t> time_ending_of_plain_processes(size_t count) {
  pid_t parent = getpid();
  std::vector<pid_t> made;
  while (made.size() < count) {
    pid_t pid = fork();
    if (pid == 0) wait_for_death(parent);
    if (pid < 0) break;
    made.push_back(pid);
  }
  Status failed = made.size() < count ? fail_errno("cannot make a process") : Status();
  int64_t start = clock::monotonic();
  for (pid_t pid : made)
    kill(pid, SIGKILL);
  for (pid_t pid : made)
    waitpid(pid, nullptr, 0);
  TRY(failed);
  return clock::monotonic() - start;
}

int64_t time_to_be_gone(int64_t plain_ending) {
  return kGrace + std::clamp(kWorth * plain_ending, kWork, kMostWork);
}

int64_t time_to_take_away(int64_t plain_ending) {
  return std::clamp(kWorthOfStops * plain_ending, kStops, kMostWork);
}

}  // namespace ringwall::verify
