// P32. Three runs, each with processes that do not want to end: one that left its session, one that
// ignores signals, one that is stopped, and an orphan. What is watched needs no sight of them,
// since /proc may hide them: each holds the pipe that is its output, and whoever loses all its
// parents is handed to this process.
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "base/clock.h"
#include "base/file.h"
#include "base/syscalls.h"
#include "base/text.h"
#include "verify/checks.h"
#include "verify/own_run.h"

namespace ringwall::verify {
namespace {

constexpr int kPatience = 10;                 // seconds
constexpr int64_t kPromised = 1'000'000'000;  // everything is gone by then
constexpr size_t kStubborn = 5;               // processes that say "up": the shell, and four

// None of them gives up its output.
constexpr const char* kStubbornScript =
    "trap '' TERM HUP INT\n"
    "setsid sh -c 'echo up; exec sleep 600' &\n"
    "sh -c 'echo up; exec sleep 600' &\n"
    "sh -c 'echo up; kill -STOP $$; sleep 600' &\n"
    "(sh -c 'echo up; exec sleep 600' &)\n"
    "echo up\n"
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

struct Ending {
  int number;
  const char* name;
};
constexpr Ending kEndings[] = {{SIGTERM, "SIGTERM"}, {SIGHUP, "SIGHUP"}, {SIGKILL, "SIGKILL"}};

// One run, and what tells of its end.
struct Watched {
  OwnRun run;
  Fd supervisor;
  const Ending& ending;
};

Result<std::vector<Watched>> start_runs(const std::string& folder) {
  OwnRunRequest request{
      .arguments = {"-w", folder, "--fresh", "--", "/bin/sh", "-c", kStubbornScript}};
  std::vector<Watched> runs;
  for (const Ending& ending : kEndings) {
    TRY_ASSIGN(OwnRun run, OwnRun::start(request));
    Fd supervisor(sys::pidfd_open(run.pid(), 0));
    if (!supervisor) return fail_errno("cannot watch a supervisor");
    runs.push_back({std::move(run), std::move(supervisor), ending});
  }
  int64_t deadline = seconds_from_now(kPatience);
  for (Watched& watched : runs) {
    for (size_t i = 0; i < kStubborn; i++)
      TRY(watched.run.read_line(deadline));
  }
  return runs;
}

// True if the supervisor has ended by then and nobody holds the run's output any more.
bool wait_until_gone(const Watched& watched, int64_t deadline) {
  // A descriptor of an ended process is readable; a pipe that nobody writes to has hung up, which
  // is told without being asked for.
  std::vector<pollfd> waits = {{watched.supervisor.get(), POLLIN, 0},
                               {watched.run.output(), 0, 0},
                               {watched.run.errors(), 0, 0}};
  while (true) {
    poll(waits.data(), waits.size(), 0);
    std::erase_if(waits, [](const pollfd& wait) { return wait.revents != 0; });
    int64_t left = deadline - clock::monotonic();
    if (waits.empty() || left <= 0) return waits.empty();
    poll(waits.data(), 1, static_cast<int>(left / 1'000'000) + 1);
  }
}

// True if this process has no child left. With pid 1 of a sandbox all of its processes are gone.
bool wait_for_strays(int64_t deadline) {
  while (true) {
    pid_t pid;
    while ((pid = waitpid(-1, nullptr, WNOHANG | __WALL)) > 0) {
    }
    if (pid < 0) return errno == ECHILD;
    if (clock::monotonic() >= deadline) return false;
    usleep(5'000);
  }
}

}  // namespace

Result<Verdict> check_ending(const CheckInputs& inputs) {
  TRY(file::make_dirs(inputs.folder));
  std::set<std::string> mounts_before = read_mount_points();
  TRY_ASSIGN(std::vector<Watched> runs, start_runs(inputs.folder));
  int64_t start = clock::monotonic();
  for (Watched& watched : runs)
    watched.run.signal(watched.ending.number);
  for (Watched& watched : runs) {
    if (!wait_until_gone(watched, start + kPromised)) {
      return Verdict{Finding::breached, std::string("processes are there a second after ") +
                                            watched.ending.name + " of their supervisor"};
    }
    TRY(watched.run.wait(start + kPromised));
  }
  if (!wait_for_strays(start + kPromised))
    return Verdict{Finding::breached, "a process escaped the end of its sandbox"};
  int64_t milliseconds = (clock::monotonic() - start) / 1'000'000;
  for (const std::string& point : read_mount_points()) {
    if (!mounts_before.contains(point))
      return Verdict{Finding::breached, "the mount " + escape(point) + " is left"};
  }
  size_t total = runs.size() * (kStubborn + 1);
  return Verdict{Finding::held, std::to_string(total) + " processes gone in " +
                                    std::to_string(milliseconds) + " ms"};
}

}  // namespace ringwall::verify
