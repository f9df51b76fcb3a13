#include "sandbox/freeze.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/text.h"

namespace ringwall::sandbox {
namespace {

// All in nanoseconds. Together they are less than the broker's own patience.
constexpr int64_t kPatienceInOrder = 50'000'000;  // then those below do not wait for those above
constexpr int64_t kPatienceAsleep = 10'000'000;   // of it, for who sleeps in the kernel
constexpr int64_t kPatience = 8'000'000'000;      // after it; a slow disk keeps who writes to it
constexpr int64_t kBusy = 200'000;                // so long we look without a rest
constexpr int64_t kRest = 50'000;

StandingTasks standing_tasks;  // only with an exec stop

struct Task {
  char state = 0;
  pid_t parent = 0;
  int threads = 0;
};

// One that the exec stop looks at goes on in a moment.
char true_state(char state, const std::string& folder) {
  if (!standing_tasks || state != 't') return state;
  pid_t task = atoi(folder.c_str() + folder.rfind('/') + 1);
  return standing_tasks.stands(task) ? 'T' : 'R';
}

// Returns when the exec stop has taken what happened before: one that was woken stands no longer.
void ask_exec_stop() {
  if (standing_tasks) syscall(SYS_membarrier, kAskExecStop, 0, 0);
}

// The name of a program stands in parentheses and may hold any character, also ") R 1".
std::optional<Task> read_task(const std::string& folder) {
  auto line = file::read(folder + "/stat");
  size_t end = line ? line->rfind(')') : std::string::npos;
  if (end == std::string::npos) return std::nullopt;
  std::vector<std::string> words = text::split(line->substr(end + 2), ' ');
  if (words.size() < 18 || words[0].empty()) return std::nullopt;
  return Task{true_state(words[0][0], folder), atoi(words[1].c_str()), atoi(words[17].c_str())};
}

std::vector<pid_t> list_numbers(const std::string& folder) {
  std::vector<pid_t> numbers;
  Fd opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  auto entries = file::list(opened.get());
  if (!entries) return numbers;
  for (const file::Entry& entry : *entries) {
    pid_t number = atoi(entry.name.c_str());
    if (number > 0) numbers.push_back(number);
  }
  return numbers;
}

bool stands(char state) { return state == 'T' || state == 't' || state == 'Z' || state == 'X'; }

std::string folder_of(pid_t pid) { return "/proc/" + std::to_string(pid); }

enum class Standing { stands, sleeps, moves };  // sleeps: in the kernel, and cannot be woken

// A signal for a process is taken by one of its threads, and one that sleeps in vfork is as good as
// another: its fellows would run on until it wakes. `nudge` sends it to those that can take it.
Standing look_at_threads(pid_t pid, bool nudge) {
  std::string threads = folder_of(pid) + "/task";
  Standing all = Standing::stands;
  for (pid_t thread : list_numbers(threads)) {
    auto task = read_task(threads + "/" + std::to_string(thread));
    if (!task || stands(task->state)) continue;
    bool sleeps = task->state == 'D';
    if (nudge && !sleeps) tgkill(pid, thread, SIGSTOP);
    all = std::max(all, sleeps ? Standing::sleeps : Standing::moves);
  }
  return all;
}

Standing look_at(pid_t pid, const std::optional<Task>& task, bool nudge = false) {
  if (!task) return Standing::stands;  // it is gone
  if (task->threads > 1) return look_at_threads(pid, nudge);
  if (stands(task->state)) return Standing::stands;
  return task->state == 'D' ? Standing::sleeps : Standing::moves;
}

// Without our own.
std::map<pid_t, Task> read_tasks() {
  std::map<pid_t, Task> tasks;
  for (pid_t pid : list_numbers("/proc")) {
    auto task = pid == getpid() ? std::nullopt : read_task(folder_of(pid));
    if (task) tasks[pid] = *task;
  }
  return tasks;
}

// Parents before their children.
std::vector<std::pair<size_t, pid_t>> by_depth(const std::map<pid_t, Task>& tasks) {
  auto depth = [&](pid_t pid) {
    size_t steps = 0;
    for (auto at = tasks.find(pid); at != tasks.end() && steps <= tasks.size(); steps++)
      at = tasks.find(at->second.parent);
    return steps;
  };
  std::vector<std::pair<size_t, pid_t>> order;
  for (const auto& [pid, task] : tasks)
    order.emplace_back(depth(pid), pid);
  std::sort(order.begin(), order.end());
  return order;
}

std::map<pid_t, Task> without_standing(std::map<pid_t, Task> tasks) {
  std::erase_if(tasks,
                [](const auto& one) { return look_at(one.first, one.second) == Standing::stands; });
  return tasks;
}

// Nothing tells when a thread has stopped. Looking all the time would keep just those from running
// that wait for the processor we look on.
void rest(int64_t since) {
  timespec time{0, kRest};
  if (clock::monotonic() - since > kBusy) nanosleep(&time, nullptr);
}

// Ends early if nobody is left who could be told of a stop: who sleeps sees our signal first.
void wait_for_standing(std::vector<pid_t> pids, int64_t end_for_sleepers, int64_t end) {
  int64_t start = clock::monotonic();
  for (bool nudge = false;; nudge = true) {
    bool moves = false;
    std::erase_if(pids, [&](pid_t pid) {
      Standing now = look_at(pid, read_task(folder_of(pid)), nudge);
      moves |= now == Standing::moves;
      return now == Standing::stands;
    });
    int64_t now = clock::monotonic();
    if (pids.empty() || now >= end || (!moves && now >= end_for_sleepers)) return;
    rest(start);
  }
}

// Whoever is in wait4 and has not stopped when its child does is told of it, even if its own signal
// came first: the kernel looks at the children before the signals. So a level waits until the one
// above stands. One that sleeps in vfork stops once its child, on a level below, comes to its exec.
void stop_from_the_top(const std::vector<std::pair<size_t, pid_t>>& order, int64_t start) {
  for (size_t at = 0; at < order.size();) {
    std::vector<pid_t> level;
    for (size_t depth = order[at].first; at < order.size() && order[at].first == depth; at++)
      level.push_back(order[at].second);
    for (pid_t pid : level)
      kill(pid, SIGSTOP);
    wait_for_standing(level, start + kPatienceAsleep, start + kPatienceInOrder);
  }
}

// Who sleeps in vfork goes on when its child has started another program: it does nothing as long
// as the child stands.
bool all_stand(const std::map<pid_t, Task>& tasks) {
  std::set<pid_t> parents_of_stopped;
  for (const auto& [pid, task] : tasks) {
    if (task.state == 'T' || task.state == 't') parents_of_stopped.insert(task.parent);
  }
  bool all = true;
  for (const auto& [pid, task] : tasks) {
    Standing now = look_at(pid, task, true);
    all &= now == Standing::stands || (now == Standing::sleeps && parents_of_stopped.contains(pid));
  }
  return all;
}

// Whatever the order. Again and again: one that had not stopped yet may have let another go on. And
// twice: one looked at late may have started another before.
bool stop_the_rest() {
  int64_t start = clock::monotonic();
  while (true) {
    kill(-1, SIGSTOP);
    bool stand = all_stand(read_tasks());
    if (stand) ask_exec_stop();
    if (stand && all_stand(read_tasks())) return true;
    if (clock::monotonic() - start >= kPatience) return false;
    rest(start);
  }
}

}  // namespace

void take_word_of_exec_stop(StandingTasks standing) { standing_tasks = standing; }

bool Freeze::stop() {
  if (getpid() != 1) return false;  // without a pid namespace, all would be everybody
  int64_t start = clock::monotonic();
  std::map<pid_t, Task> tasks = read_tasks();
  if (!holds_) {
    stood_before_.clear();
    for (const auto& [pid, task] : tasks) {
      if (task.state == 'T') stood_before_.insert(pid);
    }
  }
  holds_ = true;
  std::set<pid_t> told;
  while (clock::monotonic() - start < kPatienceInOrder) {
    std::map<pid_t, Task> moving = without_standing(std::move(tasks));
    std::erase_if(moving, [&](const auto& one) { return told.contains(one.first); });
    if (moving.empty()) break;
    for (const auto& [pid, _] : moving) {
      told.insert(pid);
      stood_before_.erase(pid);  // somebody let it go on, and wanted that
    }
    stop_from_the_top(by_depth(moving), start);
    tasks = read_tasks();  // those who were started meanwhile have parents too
  }
  // All stood when they were looked at, but one looked at late may have started another before.
  ask_exec_stop();
  return without_standing(read_tasks()).empty() || stop_the_rest();
}

bool Freeze::hold() {
  bool held = true;
  for (const auto& [pid, task] : read_tasks()) {
    if (look_at(pid, task, true) != Standing::moves) continue;
    kill(pid, SIGSTOP);
    held = false;
  }
  return held;
}

void Freeze::take_over(Freeze& other) {
  holds_ = true;
  stood_before_ = std::move(other.stood_before_);
  other.holds_ = false;
}

void Freeze::go_on_with(pid_t group) {
  std::erase_if(stood_before_, [group](pid_t pid) { return getpgid(pid) == group; });
}

void Freeze::go_on() {
  if (!holds_) return;
  auto order = by_depth(read_tasks());
  std::reverse(order.begin(), order.end());
  for (auto [_, pid] : order) {
    if (!stood_before_.contains(pid)) kill(pid, SIGCONT);
  }
  holds_ = false;
}

}  // namespace ringwall::sandbox
