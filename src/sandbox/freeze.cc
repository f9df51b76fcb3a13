#include "sandbox/freeze.h"

#include <fcntl.h>
#include <signal.h>
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

constexpr int64_t kPatienceOfLevel = 1'000'000;  // nanoseconds
constexpr int64_t kPatience = 20'000'000;  // nanoseconds until a thread that sleeps is left alone

struct Task {
  char state = 0;
  pid_t parent = 0;
};

// The name of a program stands in parentheses and may hold any character, also ") R 1".
std::optional<Task> read_task(const std::string& folder) {
  auto line = file::read(folder + "/stat");
  size_t end = line ? line->rfind(')') : std::string::npos;
  if (end == std::string::npos) return std::nullopt;
  std::vector<std::string> words = text::split(line->substr(end + 2), ' ');
  if (words.size() < 2 || words[0].empty()) return std::nullopt;
  return Task{words[0][0], atoi(words[1].c_str())};
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

bool all_threads_stand(pid_t pid) {
  std::string threads = "/proc/" + std::to_string(pid) + "/task";
  for (pid_t thread : list_numbers(threads)) {
    auto task = read_task(threads + "/" + std::to_string(thread));
    if (task && !stands(task->state)) return false;
  }
  return true;
}

bool all_stand() {
  for (pid_t pid : list_numbers("/proc")) {
    if (pid != getpid() && !all_threads_stand(pid)) return false;
  }
  return true;
}

// Without our own.
std::map<pid_t, Task> read_tasks() {
  std::map<pid_t, Task> tasks;
  for (pid_t pid : list_numbers("/proc")) {
    auto task = pid == getpid() ? std::nullopt : read_task("/proc/" + std::to_string(pid));
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

// A shell that waits for its child is told of the child's stop, unless it stands already itself.
void stop_from_the_top(const std::map<pid_t, Task>& tasks) {
  auto order = by_depth(tasks);
  for (size_t first = 0; first < order.size();) {
    size_t end = first;
    for (; end < order.size() && order[end].first == order[first].first; end++)
      kill(order[end].second, SIGSTOP);
    int64_t deadline = clock::monotonic() + kPatienceOfLevel;
    bool stands = false;
    while (!stands && clock::monotonic() < deadline) {
      stands = std::all_of(order.begin() + static_cast<ptrdiff_t>(first),
                           order.begin() + static_cast<ptrdiff_t>(end),
                           [](const auto& one) { return all_threads_stand(one.second); });
    }
    first = end;
  }
}

}  // namespace

bool Freeze::stop() {
  std::map<pid_t, Task> tasks = read_tasks();
  if (!holds_) {
    stood_before_.clear();
    for (const auto& [pid, task] : tasks) {
      if (task.state == 'T') stood_before_.insert(pid);
    }
  }
  holds_ = true;
  stopped_.clear();
  stop_from_the_top(tasks);
  int64_t end = clock::monotonic() + kPatience;
  do {
    // Again and again: one that had not stopped yet may have let another go on.
    kill(-1, SIGSTOP);
    if (all_stand()) break;
  } while (clock::monotonic() < end);
  stopped_ = list_numbers("/proc");
  return all_stand();
}

bool Freeze::hold() {
  bool held = true;
  for (pid_t pid : stopped_) {
    auto task = pid == getpid() ? std::nullopt : read_task("/proc/" + std::to_string(pid));
    if (!task || (task->state != 'R' && task->state != 'S')) continue;
    kill(pid, SIGSTOP);
    held = false;
  }
  return held;
}

void Freeze::take_over(Freeze& other) {
  holds_ = true;
  stood_before_ = std::move(other.stood_before_);
  stopped_ = std::move(other.stopped_);
  other.holds_ = false;
}

void Freeze::go_on() {
  auto order = by_depth(read_tasks());
  std::reverse(order.begin(), order.end());
  for (auto [_, pid] : order) {
    if (!stood_before_.contains(pid)) kill(pid, SIGCONT);
  }
  holds_ = false;
}

}  // namespace ringwall::sandbox
