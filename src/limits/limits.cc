#include "limits/limits.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "base/fd.h"
#include "policy/fields.h"
#include "policy/numbers.h"

namespace ringwall::limits {
namespace {

constexpr uint64_t kReserve = 8;  // processes of pid 1's own
constexpr uint64_t kBytesPerFile = 4096;
constexpr uint64_t kMostFilesInMemory = 1 << 20;  // each takes about a kilobyte of the kernel's
constexpr uint64_t kLeastFilesInMemory = 1024;

uint64_t soft(int resource) {
  rlimit limit;
  return getrlimit(static_cast<__rlimit_resource>(resource), &limit) < 0 ? kNoLimit
                                                                         : limit.rlim_cur;
}

uint64_t hard(int resource) {
  rlimit limit;
  return getrlimit(static_cast<__rlimit_resource>(resource), &limit) < 0 ? kNoLimit
                                                                         : limit.rlim_max;
}

uint64_t half(uint64_t value) { return value == kNoLimit ? kNoLimit : value / 2; }

// What was asked for must be had; a default takes what is there.
Result<uint64_t> within(const policy::Number& wanted, uint64_t most, std::string_view key,
                        const char* shell_word) {
  uint64_t value = wanted.value.value_or(kNoLimit);
  if (value <= most) return value;
  bool asked = !wanted.origin.is_default() && !wanted.only_lowers && value != kNoLimit;
  if (!asked) return most;
  const policy::Shape shape = policy::field_by_key(key)->shape;
  return fail(wanted.origin.text() + ": " + std::string(key) + " " +
                  policy::show_number(shape, value) + " is more than your own limit, " +
                  policy::show_number(shape, most),
              std::string("raise that first: ") + shell_word);
}

uint64_t eighths(uint64_t value, uint64_t count) { return value / 8 * count; }

// Both ends are ours to set: nothing inside may raise them again.
Status set_both(int resource, uint64_t value, const char* name) {
  if (value == kNoLimit) return {};
  rlimit limit{value, value};
  if (setrlimit(static_cast<__rlimit_resource>(resource), &limit) < 0)
    return fail_errno(std::string("cannot set ") + name);
  return {};
}

// Soft limits rise to the hard one: programs that need many files do not ask.
Status set_open_files(uint64_t most) {
  rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) < 0) return fail_errno("cannot read the file limit");
  files.rlim_max = std::min<rlim_t>(files.rlim_max, most);
  files.rlim_cur = files.rlim_max;
  if (setrlimit(RLIMIT_NOFILE, &files) < 0) return fail_errno("cannot set RLIMIT_NOFILE");
  return {};
}

Status forbid_cores() {
  // 1 and not 0, where that is allowed: only then no helper of the host, which runs as root, is
  // started for a crash.
  rlimit cores;
  if (getrlimit(RLIMIT_CORE, &cores) < 0) return fail_errno("cannot read the core limit");
  cores.rlim_cur = cores.rlim_max = std::min<rlim_t>(cores.rlim_max, 1);
  if (setrlimit(RLIMIT_CORE, &cores) < 0) return fail_errno("cannot set RLIMIT_CORE");
  return {};
}

// The number in a file of /proc; 0 if it is not there.
uint64_t read_number(const char* path) {
  Fd file(open(path, O_RDONLY | O_CLOEXEC));
  char text[32];
  ssize_t count = file ? read(file.get(), text, sizeof text) : 0;
  uint64_t value = 0;
  if (count > 0) std::from_chars(text, text + count, value);
  return value;
}

Status write_number(const char* path, uint64_t value) {
  Fd file(open(path, O_WRONLY | O_CLOEXEC));
  if (!file && errno == ENOENT) return {};  // a kernel that does not count this
  std::string text = std::to_string(value);
  if (!file || write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    return fail_errno(std::string("cannot write ") + path);
  return {};
}

}  // namespace

LimitFacts read_limit_facts(uint64_t memory_bytes) {
  return {.memory_bytes = memory_bytes,
          .soft_processes = soft(RLIMIT_NPROC),
          .hard_processes = hard(RLIMIT_NPROC),
          .hard_files = hard(RLIMIT_NOFILE),
          .hard_file_size = hard(RLIMIT_FSIZE),
          .soft_signals = soft(RLIMIT_SIGPENDING),
          .soft_queue_bytes = soft(RLIMIT_MSGQUEUE)};
}

Result<Limits> plan_limits(const policy::Policy::Limits& wanted, const LimitFacts& host) {
  Limits limits;
  TRY_ASSIGN(limits.processes,
             within(wanted.processes, host.hard_processes, "limits.processes", "ulimit -u"));
  // The kernel counts them for the caller as well, who must be able to go on. Never so few that
  // ordinary work stops.
  constexpr uint64_t kLeastByDefault = 512;
  if (wanted.processes.origin.is_default() || wanted.processes.only_lowers) {
    uint64_t share = std::max(half(host.soft_processes), kLeastByDefault);
    limits.processes = std::min(limits.processes, share);
  }
  TRY_ASSIGN(limits.open_files,
             within(wanted.open_files, host.hard_files, "limits.open_files", "ulimit -n"));
  TRY_ASSIGN(limits.file_size,
             within(wanted.file_size, host.hard_file_size, "limits.file_size", "ulimit -f"));
  limits.pending_signals = half(host.soft_signals);
  limits.queue_bytes = half(host.soft_queue_bytes);
  limits.memory_was_asked_for = wanted.memory.value.has_value();
  limits.memory = wanted.memory.or_host(eighths(host.memory_bytes, 7));
  // A limit on memory bounds what lies in memory, too.
  uint64_t memory =
      limits.memory_was_asked_for ? std::min(limits.memory, host.memory_bytes) : host.memory_bytes;
  FolderInMemory tmp = plan_folder_in_memory({}, memory);
  tmp = plan_folder_in_memory({wanted.tmp_size.value ? wanted.tmp_size.or_host(tmp.bytes) : 0, 0},
                              memory);
  limits.tmp = {tmp.bytes, wanted.tmp_files.or_host(tmp.files)};
  limits.cpu = wanted.cpu.value.value_or(kNoLimit);
  limits.io = wanted.io.value.value_or(kNoLimit);
  limits.home_growth = wanted.home_size.value.value_or(0);
  limits.workspace_growth = wanted.workspace_size.value.value_or(0);
  limits.home_growth_lowers = wanted.home_size.only_lowers;
  limits.workspace_growth_lowers = wanted.workspace_size.only_lowers;
  limits.milliseconds = wanted.time.value.value_or(kNoLimit);
  limits.deleted_files = wanted.deleted_files.value.value_or(kNoLimit);
  limits.deleted_share = wanted.deleted_share.value.value_or(kNoLimit);
  return limits;
}

FolderInMemory plan_folder_in_memory(const FolderInMemory& wanted, uint64_t memory_bytes) {
  uint64_t bytes = wanted.bytes != 0 ? wanted.bytes : memory_bytes / 4;
  uint64_t derived = std::clamp(bytes / kBytesPerFile, kLeastFilesInMemory, kMostFilesInMemory);
  // A tmpfs limited in bytes alone may still hold millions of empty files.
  return {bytes, wanted.files != 0 ? wanted.files : derived};
}

// The kernel counts these for the caller too: several runs at once must leave enough for the
// person's own editors. No namespace is ever made inside.
Status lower_quotas() {
  constexpr uint64_t kShare = 4;
  constexpr uint64_t kLeastInstances = 16;
  uint64_t instances = read_number("/proc/sys/fs/inotify/max_user_instances");
  uint64_t watches = read_number("/proc/sys/fs/inotify/max_user_watches");
  TRY(write_number("/proc/sys/user/max_inotify_instances",
                   std::max(instances / kShare, kLeastInstances)));
  if (watches > 1) TRY(write_number("/proc/sys/user/max_inotify_watches", watches / kShare));
  return write_number("/proc/sys/user/max_user_namespaces", 0);
}

Status offer_to_oom_killer() {
  constexpr uint64_t kFirst = 1000;
  return write_number("/proc/self/oom_score_adj", kFirst);
}

Status apply_limits(const Limits& limits) {
  bool bounded = limits.processes != kNoLimit;
  TRY(set_both(RLIMIT_NPROC, bounded ? limits.processes + kReserve : kNoLimit, "RLIMIT_NPROC"));
  TRY(set_open_files(limits.open_files));
  TRY(set_both(RLIMIT_FSIZE, limits.file_size, "RLIMIT_FSIZE"));
  TRY(set_both(RLIMIT_SIGPENDING, limits.pending_signals, "RLIMIT_SIGPENDING"));
  TRY(set_both(RLIMIT_MSGQUEUE, limits.queue_bytes, "RLIMIT_MSGQUEUE"));
  return forbid_cores();
}

bool give_up_reserve(const Limits& limits, uint64_t own) {
  if (limits.processes == kNoLimit) return true;
  rlimit bound{limits.processes + own, limits.processes + own};
  return setrlimit(RLIMIT_NPROC, &bound) == 0;
}

std::vector<LimitRow> describe_limits(const Limits& limits, bool has_cgroup) {
  using policy::Shape;
  auto size = [](uint64_t bytes) { return policy::show_number(Shape::size, bytes); };
  auto growth = [&](uint64_t bytes) {
    return bytes == 0 ? std::string("3/4 of what is free") : size(bytes);
  };
  constexpr std::string_view kKernel = "kernel", kCaught = "caught: watched, paused";
  return {
      {"processes", policy::show_number(Shape::count, limits.processes), kKernel},
      {"open_files", policy::show_number(Shape::count, limits.open_files), kKernel},
      {"file_size", size(limits.file_size), kKernel},
      {"tmp_size", size(limits.tmp.bytes), kKernel},
      {"tmp_files", policy::show_number(Shape::count, limits.tmp.files), kKernel},
      {"home_size", growth(limits.home_growth), kCaught},
      {"workspace_size", growth(limits.workspace_growth), kCaught},
      {"memory", size(limits.memory), has_cgroup ? "kernel: cgroup" : kCaught},
      {"cpu", policy::show_number(Shape::processors, limits.cpu),
       has_cgroup ? "kernel: cgroup" : ""},
      {"io", size(limits.io) + (limits.io == kNoLimit ? "" : " a second"),
       has_cgroup ? "kernel: cgroup" : ""},
      {"time", policy::show_number(Shape::duration, limits.milliseconds), "caught: ended"},
      {"deleted_files", policy::show_number(Shape::count, limits.deleted_files), kCaught},
      {"deleted_share", policy::show_number(Shape::share, limits.deleted_share), kCaught},
  };
}

}  // namespace ringwall::limits
