// P32. Three runs, each with processes that do not want to end: one that left its session, one that
// ignores signals, one that is stopped, and an orphan. Every process is known from outside before
// the signal, by a descriptor that cannot be mistaken for another process of the same number.
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "base/clock.h"
#include "base/file.h"
#include "base/syscalls.h"
#include "base/text.h"
#include "verify/checks.h"
#include "verify/own_run.h"
#include "verify/process_tree.h"

namespace ringwall::verify {
namespace {

constexpr int kPatience = 10;                 // seconds
constexpr int64_t kPromised = 1'000'000'000;  // everything is gone by then
constexpr size_t kLeastProcesses = 6;         // supervisor, pid 1, shell and three of its own

constexpr const char* kStubborn =
    "trap '' TERM HUP INT\n"
    "setsid sleep 600 &\n"
    "sleep 600 &\n"
    "sleep 600 & kill -STOP $!\n"
    "(sleep 600 &)\n"
    "echo ready\n"
    "wait\n";

std::set<std::string> read_mount_points() {
  std::set<std::string> points;
  auto mounts = file::read("/proc/self/mountinfo", 16 << 20);
  if (!mounts) return points;
  for (const std::string& line : text::split(*mounts, '\n')) {
    std::vector<std::string> fields = text::split(line, ' ');
    if (fields.size() > 4) points.insert(fields[4]);
  }
  return points;
}

struct Watched {
  std::vector<Fd> processes;
  std::string signal;
};

Result<Watched> watch(const OwnRun& run, const char* signal, const ProcessTree& tree) {
  Watched watched{{}, signal};
  for (pid_t pid : tree.from(run.pid())) {
    Fd process(sys::pidfd_open(pid, 0));
    if (process) watched.processes.push_back(std::move(process));
  }
  if (watched.processes.size() < kLeastProcesses)
    return fail("only " + std::to_string(watched.processes.size()) + " processes were found");
  return watched;
}

// How many of them are still there at `deadline`. A descriptor of an ended process is readable.
size_t wait_until_gone(const Watched& watched, int64_t deadline) {
  while (true) {
    std::vector<pollfd> waits;
    for (const Fd& process : watched.processes)
      waits.push_back({process.get(), POLLIN, 0});
    poll(waits.data(), waits.size(), 0);
    std::erase_if(waits, [](const pollfd& wait) { return wait.revents != 0; });
    int64_t left = deadline - clock::monotonic();
    if (waits.empty() || left <= 0) return waits.size();
    poll(waits.data(), 1, static_cast<int>(left / 1'000'000) + 1);
  }
}

// Processes that nobody knew: whoever loses all its parents is handed to this process.
size_t wait_for_strays(int64_t deadline) {
  while (true) {
    size_t strays = ProcessTree::read().from(getpid()).size() - 1;
    if (strays == 0 || clock::monotonic() >= deadline) return strays;
    usleep(20'000);
  }
}

}  // namespace

Result<Verdict> check_ending(const CheckInputs& inputs) {
  TRY(file::make_dirs(inputs.folder));
  struct Ending {
    int number;
    const char* name;
  } constexpr kEndings[] = {{SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}, {SIGKILL, "SIGKILL"}};
  std::set<std::string> mounts_before = read_mount_points();
  OwnRunRequest request{
      .arguments = {"-w", inputs.folder, "--fresh", "--", "/bin/sh", "-c", kStubborn}};
  std::vector<OwnRun> runs;
  for (size_t i = 0; i < std::size(kEndings); i++) {
    TRY_ASSIGN(OwnRun run, OwnRun::start(request));
    runs.push_back(std::move(run));
  }
  for (OwnRun& run : runs)
    TRY(run.read_line(seconds_from_now(kPatience)));
  ProcessTree tree = ProcessTree::read();
  std::vector<Watched> watched;
  for (size_t i = 0; i < runs.size(); i++) {
    TRY_ASSIGN(Watched processes, watch(runs[i], kEndings[i].name, tree));
    watched.push_back(std::move(processes));
  }
  size_t total = 0;
  int64_t start = clock::monotonic();
  for (size_t i = 0; i < runs.size(); i++)
    runs[i].signal(kEndings[i].number);
  for (const Watched& each : watched) {
    size_t left = wait_until_gone(each, start + kPromised);
    if (left > 0) {
      return Verdict{Finding::breached, std::to_string(left) +
                                            " processes are there a second after " + each.signal +
                                            " of their supervisor"};
    }
    total += each.processes.size();
  }
  if (size_t strays = wait_for_strays(start + kPromised); strays > 0)
    return Verdict{Finding::breached, std::to_string(strays) + " processes escaped their sandbox"};
  int64_t milliseconds = (clock::monotonic() - start) / 1'000'000;
  for (const std::string& point : read_mount_points()) {
    if (!mounts_before.contains(point))
      return Verdict{Finding::breached, "the mount " + escape(point) + " is left"};
  }
  return Verdict{Finding::held, std::to_string(total) + " processes gone in " +
                                    std::to_string(milliseconds) + " ms"};
}

}  // namespace ringwall::verify
