#include "identity/tracees.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

#include "base/clock.h"
#include "base/fd.h"
#include "base/file.h"

namespace ringwall::identity {
namespace {

constexpr int kCallStop = SIGTRAP | 0x80;  // PTRACE_O_TRACESYSGOOD

// Both in nanoseconds.
constexpr int64_t kLook = 5'000'000;
constexpr int64_t kPatience = 2'000'000'000;  // one may sleep in the kernel, on a slow disk

bool has_ended(int status) { return WIFEXITED(status) || WIFSIGNALED(status); }

}  // namespace

bool can_kill_by_ptrace() {
  utsname kernel;
  int major = 0, minor = 0;
  bool known = uname(&kernel) == 0 && sscanf(kernel.release, "%d.%d", &major, &minor) == 2;
  return known && (major > 5 || (major == 5 && minor >= 19));
}

std::optional<Report> Tracees::wait(int flags) {
  Report report;
  do {
    report.task = waitpid(-1, &report.status, __WALL | flags);
  } while (report.task < 0 && errno == EINTR);
  if (report.task < 0) ended_ = true;
  if (report.task <= 0) return std::nullopt;
  return report;
}

std::optional<Report> Tracees::next() {
  if (queue_.empty()) return wait(WNOHANG);
  Report first = queue_.front();
  queue_.pop_front();
  return first;
}

// An error means that it was killed: its end is reported.
void Tracees::go_on(pid_t task, int signal) const {
  ptrace(PTRACE_CONT, task, 0, static_cast<long>(signal));
}

void Tracees::end(pid_t task) const {
  kills_by_ptrace_ ? ptrace(PTRACE_KILL, task, 0, 0) : kill(task, SIGKILL);
}

void Tracees::stay_stopped(pid_t task) const { ptrace(PTRACE_LISTEN, task, 0, 0); }

// SIGCHLD is blocked, and tells that there is something to take.
std::optional<Report> Tracees::wait_until(int64_t deadline) {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  while (!ended_) {
    if (auto report = wait(WNOHANG)) return report;
    int64_t left = deadline - clock::monotonic();
    if (left <= 0) return std::nullopt;
    timespec time{0, std::min<int64_t>(left, kLook)};
    sigtimedwait(&child, nullptr, &time);
  }
  return std::nullopt;
}

bool Tracees::make_call(pid_t task) const { return ptrace(PTRACE_SYSCALL, task, 0, 0) == 0; }

bool Tracees::step_over_call(pid_t task) {
  if (!make_call(task)) return false;
  while (auto report = wait(0)) {
    bool is_made =
        report->task == task && WIFSTOPPED(report->status) && WSTOPSIG(report->status) == kCallStop;
    if (is_made) return true;
    queue_.push_back(*report);
    if (report->task == task) return false;
  }
  return false;
}

std::vector<pid_t> Tracees::threads_of(pid_t task) const {
  std::string path = std::to_string(task) + "/task";
  Fd folder(openat(processes_, path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  std::vector<pid_t> threads;
  auto entries = file::list(folder.get());
  if (!entries) return threads;
  for (const file::Entry& entry : *entries)
    threads.push_back(atoi(entry.name.c_str()));
  return threads;
}

namespace {

int number_after(const std::string& status, const char* name) {
  size_t at = status.find(name);
  return at == std::string::npos ? 0 : atoi(status.c_str() + at + strlen(name));
}

std::string read_of(int processes, pid_t task, const char* name) {
  std::string path = std::to_string(task) + name;
  Fd fd(openat(processes, path.c_str(), O_RDONLY | O_CLOEXEC));
  auto text = fd ? file::read_all(fd.get()) : fail("gone");
  return text ? *text : "";
}

}  // namespace

pid_t Tracees::process_of(pid_t task) const {
  if (!threads_.contains(task)) return task;
  int process = number_after(read_of(processes_, task, "/status"), "\nTgid:");
  return process > 0 ? process : task;
}

// One that ended before the other threads of its process stays until they have ended too, and
// reports nothing before that.
bool Tracees::is_dead(pid_t task) const {
  std::string text = read_of(processes_, task, "/stat");
  size_t name_end = text.rfind(')');
  if (name_end == std::string::npos || name_end + 2 >= text.size()) return true;
  return text[name_end + 2] == 'Z' || text[name_end + 2] == 'X';
}

void Tracees::join(pid_t process, pid_t child) {
  auto [at, is_first] = memories_.try_emplace(process, last_memory_ + 1);
  if (is_first) last_memory_++;
  uint64_t memory = at->second;
  memories_[child] = memory;
}

void Tracees::leave(pid_t process) {
  auto own = memories_.find(process);
  if (own == memories_.end()) return;
  uint64_t memory = own->second;
  memories_.erase(own);
  auto is_of_it = [&](const auto& one) { return one.second == memory; };
  if (std::ranges::count_if(memories_, is_of_it) == 1) std::erase_if(memories_, is_of_it);
}

void Tracees::note_vfork(pid_t parent, pid_t child) {
  pid_t process = process_of(parent);
  early_.erase(process);  // others depend on it now
  early_.erase(child);
  waiting_.insert(parent);
  join(process, child);
}

void Tracees::note_fork(pid_t child, bool may_be_thread) {
  if (may_be_thread) threads_.insert(child);
  if (early_.erase(child) != 0) leave(child);
}

void Tracees::note_early(pid_t child) {
  std::string status = read_of(processes_, child, "/status");
  if (number_after(status, "\nTgid:") != child) {
    threads_.insert(child);
    return;
  }
  int parent = number_after(status, "\nPPid:");
  if (parent <= 0) return;
  early_.insert(child);
  join(parent, child);
}

void Tracees::forget(pid_t task) {
  early_.erase(task);
  waiting_.erase(task);
  threads_.erase(task);
  if (!memories_.empty()) leave(task);
}

// Its threads, and those of the processes that have the same memory. One that waits in the kernel
// for a vfork's child runs nothing.
std::optional<std::vector<pid_t>> Tracees::fellows_of(pid_t task) const {
  pid_t process = process_of(task);
  std::vector<pid_t> processes = {process}, all;
  auto own = memories_.find(process);
  for (auto [other, memory] : memories_) {
    if (own != memories_.end() && other != process && memory == own->second)
      processes.push_back(other);
  }
  for (pid_t one : processes) {
    std::vector<pid_t> threads = threads_of(one == process ? task : one);
    if (threads.empty() && one == process) return std::nullopt;
    for (pid_t thread : threads) {
      if (thread != task && !waiting_.contains(thread)) all.push_back(thread);
    }
  }
  return all;
}

bool Tracees::has_fellows(pid_t task) const {
  if (!memories_.empty() && memories_.contains(process_of(task))) return true;
  struct stat facts;
  std::string path = std::to_string(task) + "/task";
  if (fstatat(processes_, path.c_str(), &facts, 0) != 0) return true;
  return facts.st_nlink != 3;  // ".", ".." and one for each thread
}

void Tracees::wait_for_end(const std::vector<pid_t>& tasks) {
  std::set<pid_t> awaited(tasks.begin(), tasks.end());
  while (!awaited.empty()) {
    auto report = wait_until(clock::monotonic() + kLook);
    if (report) queue_.push_back(*report);
    if (report && has_ended(report->status)) awaited.erase(report->task);
    // One that is replaced by another thread of its process never reports its end.
    if (!report) std::erase_if(awaited, [&](pid_t task) { return threads_of(task).empty(); });
    if (ended_) return;
  }
}

bool Tracees::is_queued(pid_t task) const {
  return std::ranges::any_of(
      queue_, [&](const Report& one) { return one.task == task && !has_ended(one.status); });
}

Tracees::Fellows Tracees::hold_fellows(pid_t task) {
  int64_t deadline = clock::monotonic() + kPatience;
  std::set<pid_t> held;
  while (true) {
    std::set<pid_t> awaited;
    auto fellows = fellows_of(task);
    if (!fellows) return Fellows::restless;
    for (pid_t fellow : *fellows) {
      if (!held.insert(fellow).second || is_queued(fellow)) continue;
      if (stands_ && stands_(fellow)) continue;
      if (!threads_.contains(fellow) && is_dead(fellow)) continue;
      if (ptrace(PTRACE_INTERRUPT, fellow, 0, 0) == 0) awaited.insert(fellow);
    }
    // Those who were started meanwhile are found in another round.
    if (awaited.empty()) return Fellows::held;
    while (!awaited.empty()) {
      auto report = wait_until(std::min(deadline, clock::monotonic() + kLook));
      if (ended_) return Fellows::ended;
      if (report) queue_.push_back(*report);
      if (report && report->task == task) return Fellows::ended;
      if (report) awaited.erase(report->task);
      if (!report) std::erase_if(awaited, [&](pid_t fellow) { return is_dead(fellow); });
      if (!report && !awaited.empty() && clock::monotonic() >= deadline) return Fellows::restless;
    }
  }
}

}  // namespace ringwall::identity
