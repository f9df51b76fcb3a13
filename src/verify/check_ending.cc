// P32. Runs whose processes do not want to end, and in each of them something else is ended: the
// supervisor, the front end, the relay, pid 1, or the terminal. What is watched needs no sight of
// the processes inside, since /proc may hide them: each holds a pipe that is its output, and
// whoever loses all its parents is handed to this process.
#include <fcntl.h>
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
#include "probes/stubborn.h"
#include "session/remote.h"
#include "verify/checks.h"
#include "verify/own_run.h"
#include "verify/process_tree.h"

namespace ringwall::verify {
namespace {

constexpr int kPatience = 10;                 // seconds
constexpr int64_t kPromised = 1'000'000'000;  // everything is gone by then
constexpr size_t kScripted = 5;               // processes of the script that say "up"

// One that left its session, ones that ignore signals, one that is stopped, and an orphan. None of
// them gives up its output.
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

enum class Part { supervisor, front_end, relay, pid1, terminal };

struct Ending {
  Part part;
  int signal;
  bool at_terminal;
  const char* name;
};

// Without a terminal the process that was started is the supervisor itself.
constexpr Ending kEndings[] = {
    {Part::supervisor, SIGTERM, false, "SIGTERM of their supervisor"},
    {Part::supervisor, SIGHUP, false, "SIGHUP of their supervisor"},
    {Part::supervisor, SIGKILL, false, "SIGKILL of their supervisor"},
    {Part::front_end, SIGKILL, true, "SIGKILL of their front end"},
    {Part::terminal, 0, true, "the end of their terminal"},
    {Part::supervisor, SIGKILL, true, "SIGKILL of the supervisor at a terminal"},
    {Part::relay, SIGKILL, true, "SIGKILL of their relay"},
    {Part::pid1, SIGKILL, true, "SIGKILL of their pid 1"},
};

// One run, and what tells of its end.
struct Watched {
  OwnRun run;
  const Ending* ending;
  Fd connection = {};              // of the stubborn ones: they would end with it
  Fd held = {};                    // the near end of what they hold
  std::vector<Fd> processes = {};  // of Ringwall's own
  pid_t victim = -1;
};

// More of them than a shell can make: started by pid 1.
Status add_stubborn(Watched& watched, const std::string& name) {
  TRY_ASSIGN(watched.connection, session::connect_to_run(name));
  TRY_ASSIGN(Fd null, file::open("/dev/null", O_RDWR));
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) return fail_errno("cannot make a pipe");
  watched.held = Fd(ends[0]);
  Fd far_end(ends[1]);
  int stdio[] = {null.get(), far_end.get(), null.get()};
  return session::ask_spawn(watched.connection.get(), {"stubborn", {"stubborn"}, "", {}}, stdio);
}

Status wait_until_up(Watched& watched, int64_t deadline) {
  for (size_t i = 0; i < kScripted; i++)
    TRY(watched.run.read_line(deadline));
  constexpr size_t kExpected = probes::kStubbornProcesses * std::string_view("up\n").size();
  for (size_t seen = 0; seen < kExpected;) {
    pollfd wait{watched.held.get(), POLLIN, 0};
    int64_t left = (deadline - clock::monotonic()) / 1'000'000;
    char buffer[kExpected];
    ssize_t count = left > 0 && poll(&wait, 1, static_cast<int>(left)) > 0
                        ? read(watched.held.get(), buffer, sizeof buffer)
                        : 0;
    if (count <= 0) return fail("the processes that should not want to end did not start");
    seen += static_cast<size_t>(count);
  }
  return {};
}

Result<std::vector<Watched>> start_runs(const std::string& folder) {
  std::vector<Watched> runs;
  for (const Ending& ending : kEndings) {
    TRY_ASSIGN(OwnRun run, OwnRun::start({.arguments = {"-w", folder, "--fresh", "--", "/bin/sh",
                                                        "-c", kStubbornScript},
                                          .at_terminal = ending.at_terminal}));
    runs.push_back({std::move(run), &ending});
  }
  int64_t deadline = seconds_from_now(kPatience);
  for (Watched& watched : runs) {
    TRY_ASSIGN(std::string name, watched.run.wait_until_started(deadline));
    TRY(add_stubborn(watched, name));
  }
  for (Watched& watched : runs)
    TRY(wait_until_up(watched, deadline));
  return runs;
}

// Ringwall's own processes of a run, as far as /proc shows them.
Status find_processes(Watched& watched, const ProcessTree& tree) {
  pid_t started = watched.run.pid();
  std::vector<pid_t> children = tree.children_of(started);
  // At a terminal it is the front end, whose only child is the supervisor.
  bool supervises = !watched.ending->at_terminal || tree.child_named(started, "ringwall-init");
  if (!supervises && children.size() != 1) return fail("a front end without its supervisor");
  pid_t supervisor = supervises ? started : children[0];
  auto relay = tree.child_named(supervisor, "ringwall-relay");
  auto pid1 = tree.child_named(supervisor, "ringwall-init");
  switch (watched.ending->part) {
    case Part::supervisor:
      watched.victim = supervisor;
      break;
    case Part::front_end:
      watched.victim = started;
      break;
    case Part::relay:
      watched.victim = relay.value_or(-1);
      break;
    case Part::pid1:
      watched.victim = pid1.value_or(-1);
      break;
    case Part::terminal:
      break;
  }
  std::set<pid_t> own = {started, supervisor};
  for (auto& helper : {relay, pid1}) {
    if (helper) own.insert(*helper);
  }
  for (pid_t pid : own) {
    watched.processes.emplace_back(sys::pidfd_open(pid, 0));
    if (!watched.processes.back()) return fail_errno("cannot watch a process");
  }
  return {};
}

// False if it is out of sight.
bool end(Watched& watched) {
  if (watched.ending->part == Part::terminal) {
    watched.run.hang_up();
    return true;
  }
  return watched.victim > 0 && kill(watched.victim, watched.ending->signal) == 0;
}

// True if Ringwall's own processes have ended by then and nobody holds the run's output any more.
bool wait_until_gone(const Watched& watched, int64_t deadline) {
  // A descriptor of an ended process is readable; a pipe that nobody writes to has hung up, which
  // is told without being asked for.
  std::vector<pollfd> waits = {
      {watched.run.output(), 0, 0}, {watched.run.errors(), 0, 0}, {watched.held.get(), 0, 0}};
  for (const Fd& process : watched.processes)
    waits.push_back({process.get(), POLLIN, 0});
  std::erase_if(waits, [](const pollfd& wait) { return wait.fd < 0; });
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

struct Gone {
  size_t processes = 0;
  size_t out_of_sight = 0;  // parts that could not be ended
};

// Null: all of them are gone in time.
Result<std::optional<Verdict>> end_all(std::vector<Watched>& runs, int64_t deadline, Gone& gone) {
  for (Watched& watched : runs) {
    if (!end(watched)) {
      gone.out_of_sight++;
      watched.run.signal(SIGKILL);
    }
  }
  for (Watched& watched : runs) {
    if (!wait_until_gone(watched, deadline)) {
      return std::optional(Verdict{Finding::breached, std::string("processes are there a second "
                                                                  "after ") +
                                                          watched.ending->name});
    }
    TRY(watched.run.wait(deadline));
    gone.processes += kScripted + probes::kStubbornProcesses + watched.processes.size();
  }
  if (!wait_for_strays(deadline))
    return std::optional(Verdict{Finding::breached, "a process escaped the end of its sandbox"});
  return std::optional<Verdict>();
}

}  // namespace

Result<Verdict> check_ending(const CheckInputs& inputs) {
  TRY(file::make_dirs(inputs.folder));
  std::set<std::string> mounts_before = read_mount_points();
  TRY_ASSIGN(std::vector<Watched> runs, start_runs(inputs.folder));
  ProcessTree tree = ProcessTree::read();
  for (Watched& watched : runs)
    TRY(find_processes(watched, tree));
  int64_t start = clock::monotonic();
  Gone gone;
  TRY_ASSIGN(auto wrong, end_all(runs, start + kPromised, gone));
  if (wrong) return *wrong;
  int64_t milliseconds = (clock::monotonic() - start) / 1'000'000;
  for (const std::string& point : read_mount_points()) {
    if (!mounts_before.contains(point))
      return Verdict{Finding::breached, "the mount " + escape(point) + " is left"};
  }
  std::string evidence =
      std::to_string(gone.processes) + " processes gone in " + std::to_string(milliseconds) + " ms";
  if (gone.out_of_sight > 0) evidence += "; /proc hides some that should have been ended";
  return Verdict{Finding::held, evidence};
}

}  // namespace ringwall::verify
