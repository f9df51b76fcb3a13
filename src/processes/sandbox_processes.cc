#include "processes/sandbox_processes.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/kcmp.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <charconv>
#include <memory>
#include <string_view>

#include "base/clock.h"
#include "base/fd.h"

namespace ringwall::processes {
namespace {

constexpr size_t kMostProcesses = 1 << 16;
constexpr uint64_t kKilo = 1024;

std::string read_proc(const std::string& path) {
  Fd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string content;
  char buffer[4096];
  ssize_t count;
  while (file && (count = read(file.get(), buffer, sizeof buffer)) > 0)
    content.append(buffer, static_cast<size_t>(count));
  return content;
}

std::string folder_of(pid_t process) { return "/proc/" + std::to_string(process); }

// The number behind `key` in a file of lines "Key:   123 kB"; 0 if it is not there.
uint64_t value_of(std::string_view lines, std::string_view key) {
  size_t at = lines.starts_with(key) ? 0 : lines.find("\n" + std::string(key));
  if (at == std::string_view::npos) return 0;
  at = lines.find_first_of("0123456789", lines.find(':', at));
  uint64_t value = 0;
  if (at != std::string_view::npos)
    std::from_chars(lines.data() + at, lines.data() + lines.size(), value);
  return value;
}

void add_numbers(std::string_view list, std::vector<pid_t>& out) {
  const char* at = list.data();
  const char* end = at + list.size();
  while (at < end) {
    pid_t number = 0;
    auto [next, error] = std::from_chars(at, end, number);
    if (error == std::errc() && number > 0) out.push_back(number);
    at = (next == at ? at : next) + 1;
  }
}

std::vector<pid_t> numbers_in(const std::string& folder) {
  std::vector<pid_t> numbers;
  std::unique_ptr<DIR, int (*)(DIR*)> dir(opendir(folder.c_str()), closedir);
  if (!dir) return numbers;
  while (const dirent* entry = readdir(dir.get()))
    add_numbers(entry->d_name, numbers);
  return numbers;
}

// Where /proc shows what a process uses. Its own entry shows nothing once its first thread has
// ended, although others go on.
struct Shown {
  std::string folder;
  std::string status;
};
Shown show(pid_t process) {
  auto has_memory = [](const Shown& shown) {
    return shown.status.find("\nRssAnon:") != std::string::npos;
  };
  Shown first{folder_of(process), {}};
  first.status = read_proc(first.folder + "/status");
  if (first.status.empty() || has_memory(first)) return first;
  std::string tasks = first.folder + "/task";
  for (pid_t task : numbers_in(tasks)) {
    Shown thread{tasks + "/" + std::to_string(task), {}};
    if (task == process) continue;
    thread.status = read_proc(thread.folder + "/status");
    if (has_memory(thread)) return thread;
  }
  return first;
}

bool share_files(pid_t one, pid_t other) {
  return syscall(SYS_kcmp, one, other, KCMP_FILES, 0, 0) == 0;
}

// Children belong to the thread that made them.
void add_children(pid_t process, std::vector<pid_t>& out) {
  std::string tasks = folder_of(process) + "/task";
  for (pid_t task : numbers_in(tasks))
    add_numbers(read_proc(tasks + "/" + std::to_string(task) + "/children"), out);
}

// Where /proc hides pid 1, which is undumpable, its children still name it as their parent.
void add_orphans(pid_t init, std::vector<pid_t>& out) {
  if (init <= 0) return;  // the kernel, parent of the host's own first process
  for (pid_t process : numbers_in("/proc")) {
    std::string status = read_proc(folder_of(process) + "/status");
    if (value_of(status, "PPid:") == static_cast<uint64_t>(init)) out.push_back(process);
  }
}

}  // namespace

std::vector<pid_t> list_processes(pid_t init) {
  std::vector<pid_t> found;
  add_children(init, found);
  if (found.empty()) add_orphans(init, found);
  // The list grows while it is walked.
  for (size_t i = 0; i < found.size() && found.size() < kMostProcesses; i++)
    add_children(found[i], found);
  return found;
}

pid_t find_process(pid_t init) {
  std::vector<pid_t> found;
  std::string task = std::to_string(init);
  add_numbers(read_proc(folder_of(init) + "/task/" + task + "/children"), found);
  if (found.empty()) add_orphans(init, found);
  return found.empty() ? 0 : found.front();
}

Usage read_rough_usage(const std::vector<pid_t>& processes) {
  Usage sum;
  for (pid_t process : processes) {
    std::string status = show(process).status;
    sum.anonymous += (value_of(status, "RssAnon:") + value_of(status, "VmSwap:")) * kKilo;
    sum.shared += value_of(status, "RssShmem:") * kKilo;
    sum.tasks += value_of(status, "Threads:");
  }
  return sum;
}

bool ExactUsage::go_on(int64_t deadline) {
  while (!left_.empty()) {
    pid_t process = left_.back();
    left_.pop_back();
    std::string parts = read_proc(show(process).folder + "/smaps_rollup");
    if (parts.empty()) {
      Usage rough = read_rough_usage({process});
      sum_.anonymous += rough.anonymous;
      sum_.shared += rough.shared;
    } else {
      sum_.anonymous += (value_of(parts, "Pss_Anon:") + value_of(parts, "SwapPss:")) * kKilo;
      sum_.shared += value_of(parts, "Pss_Shmem:") * kKilo;
    }
    if (clock::monotonic() >= deadline) break;
  }
  return left_.empty();
}

std::vector<std::string> list_file_tables(pid_t process) {
  std::vector<std::string> tables;
  std::string tasks = folder_of(process) + "/task";
  pid_t last = 0;
  for (pid_t task : numbers_in(tasks)) {
    if (last != 0 && share_files(last, task)) continue;
    tables.push_back(tasks + "/" + std::to_string(task) + "/fd");
    last = task;
  }
  return tables;
}

uint64_t count_open_files(pid_t process) {
  struct stat facts;
  if (stat((show(process).folder + "/fd").c_str(), &facts) < 0) return 0;
  return static_cast<uint64_t>(facts.st_size);
}

bool is_alive(const std::string& folder) {
  std::string status = read_proc(folder + "/status");
  size_t state = status.find("\nState:\t");
  if (state == std::string::npos) return false;
  char letter = status[state + 8];
  return letter != 'Z' && letter != 'X';
}

Fill read_fill(pid_t process, const std::string& path_inside) {
  struct statfs facts;
  std::string path = show(process).folder + "/root" + path_inside;
  // Another process may have its number by now, with another root: only memory is of interest.
  if (statfs(path.c_str(), &facts) < 0 || facts.f_type != TMPFS_MAGIC) return {};
  auto block = static_cast<uint64_t>(facts.f_bsize);
  return {.bytes = (facts.f_blocks - facts.f_bfree) * block,
          .no_space = facts.f_blocks > 0 && facts.f_bavail == 0,
          .no_files = facts.f_files > 0 && facts.f_ffree == 0};
}

}  // namespace ringwall::processes
