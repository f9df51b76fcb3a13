#include "limits/cgroup.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/clock.h"
#include "base/file.h"
#include "base/path.h"
#include "base/process.h"
#include "base/text.h"
#include "limits/disk.h"
#include "limits/user_manager.h"

namespace ringwall::limits {
namespace {

constexpr const char* kPrefix = "ringwall-";
constexpr uint64_t kOwnProcesses = 16;  // pid 1 and what it keeps in reserve

Status put(int folder, const char* name, const std::string& value) {
  Fd file(openat(folder, name, O_WRONLY | O_CLOEXEC));
  if (!file || write(file.get(), value.data(), value.size()) < 0)
    return fail_errno(std::string("cannot set ") + name);
  return {};
}

// A controller that was not handed on has no files here.
Status put_if_there(int folder, const char* name, const std::string& value) {
  Status done = put(folder, name, value);
  if (!done && done.error().err == ENOENT) return {};
  return done;
}

std::string amount(uint64_t value) { return value == kNoLimit ? "max" : std::to_string(value); }

std::string cpu_share(uint64_t thousandths) {
  constexpr uint64_t kPeriod = 100'000;  // microseconds
  if (thousandths == kNoLimit) return "max";
  return std::to_string(thousandths * (kPeriod / 1000)) + " " + std::to_string(kPeriod);
}

// What a killed supervisor left: an empty cgroup whose name holds the number of its maker.
void remove_leftovers(const std::string& parent) {
  auto folder = file::open(parent, O_RDONLY | O_DIRECTORY);
  auto entries = folder ? file::list(folder->get()) : std::unexpected(folder.error());
  if (!entries) return;
  for (const file::Entry& entry : *entries) {
    size_t dot = entry.name.rfind('.');
    if (!entry.name.starts_with(kPrefix) || dot == std::string::npos) continue;
    pid_t maker = atoi(entry.name.c_str() + dot + 1);
    if (maker > 0 && !process::is_running(maker))
      unlinkat(folder->get(), entry.name.c_str(), AT_REMOVEDIR);
  }
}

// The folder of a process's cgroup once the manager has moved it to `unit`.
Result<std::string> wait_for_move(pid_t process, const std::string& unit) {
  constexpr int64_t kPatience = 2'000'000'000;
  int64_t deadline = clock::monotonic() + kPatience;
  while (clock::monotonic() < deadline) {
    std::string own = read_cgroup_folder(process);
    if (path::basename(own) == unit) return own;
    usleep(500);
  }
  return fail("the service manager did not move the sandbox into its scope");
}

}  // namespace

Cgroup::Cgroup(Cgroup&& other) noexcept { *this = std::move(other); }

Cgroup& Cgroup::operator=(Cgroup&& other) noexcept {
  if (this == &other) return *this;
  remove();
  folder_ = std::move(other.folder_);
  path_ = std::exchange(other.path_, {});
  aside_ = std::exchange(other.aside_, {});
  manager_ = std::exchange(other.manager_, {});
  unit_ = std::exchange(other.unit_, {});
  limits_ = other.limits_;
  disk_ = std::exchange(other.disk_, {});
  return *this;
}

Cgroup::~Cgroup() { remove(); }

void Cgroup::remove() {
  constexpr int kTries = 50;
  folder_.close();
  // The last process may still be on its way out.
  for (int i = 0; !path_.empty() && i < kTries; i++) {
    if (rmdir(path_.c_str()) == 0 || errno != EBUSY) break;
    usleep(1000);
  }
  path_.clear();
  if (!aside_.empty()) step_back();
}

// Into a cgroup beside the sandbox's, together with our ancestors, the only others there.
Status Cgroup::step_aside(const std::string& parent) {
  aside_ = path::join(parent, std::string(kPrefix) + "outside." + std::to_string(getpid()));
  if (mkdir(aside_.c_str(), 0755) < 0) return fail_errno("cannot make a cgroup");
  auto own = file::read(path::join(parent, "cgroup.procs"));
  if (!own) return std::unexpected(own.error());
  for (const std::string& process : text::split(text::trim(*own), '\n'))
    TRY(file::write_existing(path::join(aside_, "cgroup.procs"), process));
  Controllers wanted = wanted_controllers(limits_);
  return file::write_existing(
      path::join(parent, "cgroup.subtree_control"),
      std::string("+memory +pids") + (wanted.cpu ? " +cpu" : "") + (wanted.io ? " +io" : ""));
}

void Cgroup::step_back() {
  std::string parent = path::parent(aside_);
  // Best effort: what stays behind ends with the scope or the login that it lies in.
  for (const char* controllers : {"-memory -pids", "-cpu", "-io"})
    (void)file::write_existing(path::join(parent, "cgroup.subtree_control"), controllers);
  auto left = file::read(path::join(aside_, "cgroup.procs"));
  for (const std::string& process : text::split(text::trim(left.value_or("")), '\n')) {
    if (!process.empty()) (void)file::write_existing(path::join(parent, "cgroup.procs"), process);
  }
  rmdir(aside_.c_str());
  aside_.clear();
}

Status Cgroup::make_below(const std::string& parent, const std::string& run) {
  remove_leftovers(parent);
  path_ = path::join(parent, kPrefix + run + "." + std::to_string(getpid()));
  if (mkdir(path_.c_str(), 0755) < 0) {
    path_.clear();
    return fail_errno("cannot make a cgroup below " + text::quote(parent));
  }
  TRY_ASSIGN(folder_, file::open(path_, O_RDONLY | O_DIRECTORY));
  int folder = folder_.get();
  if (limits_.memory != kNoLimit) TRY(put(folder, "memory.max", amount(limits_.memory)));
  // Swapped-out memory is memory: the limit is one for both.
  TRY(put_if_there(folder, "memory.swap.max", limits_.memory == kNoLimit ? "max" : "0"));
  if (limits_.processes != kNoLimit)
    TRY(put_if_there(folder, "pids.max", amount(limits_.processes + kOwnProcesses)));
  if (limits_.cpu != kNoLimit) TRY(put(folder, "cpu.max", cpu_share(limits_.cpu)));
  return bound_traffic();
}

Status Cgroup::bound_traffic() {
  if (limits_.io == kNoLimit) return {};
  std::string most = std::to_string(limits_.io);
  Status done = put(folder_.get(), "io.max", disk_ + " rbps=" + most + " wbps=" + most);
  if (done) return {};
  done.error().what =
      "a limit of disk traffic (--io) cannot be set for disk " + disk_ + ": " + done.error().what;
  return done;
}

Status Cgroup::take_in(pid_t process) {
  if (unit_.empty()) return {};
  uint64_t tasks = limits_.processes == kNoLimit ? kNoLimit : limits_.processes + kOwnProcesses;
  Status started = start_scope(manager_, {.unit = unit_,
                                          .process = process,
                                          .memory = limits_.memory,
                                          .processes = tasks,
                                          .cpu = limits_.cpu});
  auto moved = started ? wait_for_move(process, unit_) : std::unexpected(started.error());
  auto folder = moved ? file::open(*moved, O_RDONLY | O_DIRECTORY)
                      : std::unexpected(std::move(moved).error());
  if (folder) {
    folder_ = std::move(*folder);
    return bound_traffic();
  }
  // Memory can be watched instead; a share of the processors or of the disk cannot.
  if (limits_.cpu == kNoLimit && limits_.io == kNoLimit) return {};
  return std::unexpected(std::move(folder).error());
}

Status Cgroup::freeze(bool frozen) {
  return put(folder_.get(), "cgroup.freeze", frozen ? "1" : "0");
}

Status Cgroup::kill() { return put(folder_.get(), "cgroup.kill", "1"); }

uint64_t Cgroup::count_kills() const {
  constexpr std::string_view kKey = "oom_kill ";
  Fd file(openat(folder_.get(), "memory.events", O_RDONLY | O_CLOEXEC));
  auto events = file ? file::read_all(file.get()) : std::unexpected(Error{"gone"});
  for (const std::string& line : text::split(events.value_or(""), '\n')) {
    uint64_t count = 0;
    if (!line.starts_with(kKey)) continue;
    std::from_chars(line.data() + kKey.size(), line.data() + line.size(), count);
    return count;
  }
  return 0;
}

Result<Cgroup> make_cgroup(const Limits& limits, const CgroupPlan& plan, const std::string& run,
                           const std::string& disk) {
  Cgroup cgroup;
  cgroup.limits_ = limits;
  cgroup.disk_ = disk;
  if (plan.way == CgroupPlan::Way::scope) {
    cgroup.manager_ = plan.parent;
    cgroup.unit_ = kPrefix + run + "." + std::to_string(getpid()) + ".scope";
    return cgroup;
  }
  if (plan.way == CgroupPlan::Way::aside) TRY(cgroup.step_aside(plan.parent));
  TRY(cgroup.make_below(plan.parent, run));
  return cgroup;
}

Controllers wanted_controllers(const Limits& limits) {
  return {.cpu = limits.cpu != kNoLimit, .io = limits.io != kNoLimit};
}

bool wants_cgroup(const Limits& limits) {
  bool memory = limits.memory_was_asked_for && limits.memory != kNoLimit;
  Controllers wanted = wanted_controllers(limits);
  return memory || wanted.cpu || wanted.io;
}

Result<Cgroup> make_cgroup(const Limits& limits, const std::string& run,
                           const std::string& workspace) {
  if (!wants_cgroup(limits)) return Cgroup();
  Controllers wanted = wanted_controllers(limits);
  bool must = wanted.cpu || wanted.io;
  CgroupPlan plan = plan_cgroup(read_cgroup_facts(), wanted);
  if (plan.way == CgroupPlan::Way::none) {
    if (!must) return Cgroup();
    std::string what = wanted.cpu ? "processors (--cpu)" : "disk traffic (--io)";
    return fail("a limit of " + what + " needs a cgroup: " + plan.why_not, plan.mend);
  }
  std::string disk;
  if (wanted.io) {
    TRY_ASSIGN(disk, plan_disk(read_disk_facts(workspace)));
  }
  auto made = make_cgroup(limits, plan, run, disk);
  if (!made && !must) return Cgroup();
  return made;
}

}  // namespace ringwall::limits
