// P32 and P37. Runs whose processes do not want to end, and in each of them something else is
// ended: the supervisor, the front end, the relay, pid 1, the terminal; or all of it by the kill
// switch. What is watched needs no sight of the processes inside, since /proc may hide them: each
// holds a pipe that is its output, and whoever loses all its parents is handed to this process.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <span>

#include "base/clock.h"
#include "base/file.h"
#include "base/syscalls.h"
#include "base/text.h"
#include "clients/remote.h"
#include "clients/run_control.h"
#include "probes/stubborn.h"
#include "verify/checks.h"
#include "verify/own_run.h"
#include "verify/process_tree.h"
#include "verify/yardstick.h"

namespace ringwall::verify {
namespace {

constexpr int kLatePatience = 2;  // for what is late, to be told from what stays
constexpr size_t kScripted = 5;   // processes of the script that say "up"

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

enum class Part { supervisor, front_end, relay, pid1, terminal, kill_switch };

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

constexpr Ending kKills[] = {
    {Part::kill_switch, 0, false, "ringwall kill"},
    {Part::kill_switch, 0, true, "ringwall kill at a terminal"},
};

// One of Ringwall's own.
struct OwnProcess {
  const char* name;
  pid_t pid;
  Fd handle;  // readable when it has ended
};

// One run, and what tells of its end.
struct Watched {
  OwnRun run;
  const Ending* ending;
  std::string name = {};
  Fd connection = {};  // of the stubborn ones: they would end with it
  Fd held = {};        // the near end of what they hold
  std::vector<OwnProcess> processes = {};
  pid_t victim = -1;
};

// More of them than a shell can make: started by pid 1.
Status add_stubborn(Watched& watched, const std::string& name) {
  TRY_ASSIGN(watched.connection, clients::connect_to_run(name));
  TRY_ASSIGN(Fd null, file::open("/dev/null", O_RDWR));
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) return fail_errno("cannot make a pipe");
  watched.held = Fd(ends[0]);
  Fd far_end(ends[1]);
  int stdio[] = {null.get(), far_end.get(), null.get()};
  return state::ask_spawn(watched.connection.get(), {"stubborn", {"stubborn"}, "", {}}, stdio);
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

Result<std::vector<Watched>> start_runs(const std::string& folder,
                                        std::span<const Ending> endings) {
  std::vector<Watched> runs;
  for (const Ending& ending : endings) {
    TRY_ASSIGN(OwnRun run, OwnRun::start({.arguments = {"-w", folder, "--fresh", "--", "/bin/sh",
                                                        "-c", kStubbornScript},
                                          .at_terminal = ending.at_terminal}));
    runs.push_back({std::move(run), &ending});
  }
  int64_t deadline = seconds_from_now(kPatience);
  for (Watched& watched : runs) {
    TRY_ASSIGN(watched.name, watched.run.wait_until_started(deadline));
    TRY(add_stubborn(watched, watched.name));
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
    case Part::kill_switch:
      break;
  }
  auto watch = [&](const char* name, std::optional<pid_t> pid) -> Status {
    if (!pid) return {};
    Fd handle(sys::pidfd_open(*pid, 0));
    if (!handle) return fail_errno("cannot watch a process");
    watched.processes.push_back({name, *pid, std::move(handle)});
    return {};
  };
  if (started != supervisor) TRY(watch("front end", started));
  TRY(watch("supervisor", supervisor));
  for (const char* name : {"ringwall-relay", "ringwall-broker", "ringwall-hand", "ringwall-init"})
    TRY(watch(name, tree.child_named(supervisor, name)));
  return {};
}

// False if it is out of sight.
bool end(Watched& watched) {
  if (watched.ending->part == Part::terminal) {
    watched.run.hang_up();
    return true;
  }
  if (watched.ending->part == Part::kill_switch) return clients::kill_run(watched.name).has_value();
  return watched.victim > 0 && kill(watched.victim, watched.ending->signal) == 0;
}

// "relay 123 (S)", with the state that ps would show.
std::string describe(const OwnProcess& process) {
  auto stat = file::read("/proc/" + std::to_string(process.pid) + "/stat");
  size_t state = stat ? stat->rfind(") ") : std::string::npos;
  std::string seen = state == std::string::npos ? "?" : stat->substr(state + 2, 1);
  return std::string(process.name) + " " + std::to_string(process.pid) + " (" + seen + ")";
}

// What is left of a run at that time. Empty if Ringwall's own processes have ended by then and
// nobody holds the run's output any more.
std::vector<std::string> wait_until_gone(const Watched& watched, int64_t deadline) {
  struct Sign {
    pollfd wait;
    const char* of;
    const OwnProcess* process = nullptr;
  };
  // A descriptor of an ended process is readable; a pipe that nobody writes to has hung up, which
  // is told without being asked for.
  std::vector<Sign> signs = {{{watched.run.output(), 0, 0}, "who holds its output"},
                             {{watched.run.errors(), 0, 0}, "who holds its messages"},
                             {{watched.held.get(), 0, 0}, "the stubborn ones"}};
  for (const OwnProcess& process : watched.processes)
    signs.push_back({{process.handle.get(), POLLIN, 0}, process.name, &process});
  std::erase_if(signs, [](const Sign& sign) { return sign.wait.fd < 0; });
  while (true) {
    std::erase_if(signs, [](Sign& sign) { return poll(&sign.wait, 1, 0) > 0; });
    int64_t left = deadline - clock::monotonic();
    if (signs.empty() || left <= 0) break;
    poll(&signs[0].wait, 1, static_cast<int>(left / 1'000'000) + 1);
  }
  std::vector<std::string> left;
  for (const Sign& sign : signs)
    left.push_back(sign.process != nullptr ? describe(*sign.process) : sign.of);
  return left;
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

size_t count_processes(const std::vector<Watched>& runs) {
  size_t count = 0;
  for (const Watched& watched : runs)
    count += kScripted + probes::kStubbornProcesses + watched.processes.size();
  return count;
}

std::string milliseconds(int64_t nanoseconds) {
  return std::to_string(nanoseconds / 1'000'000) + " ms";
}

// The promised second, if this machine could keep it with any processes.
struct Bounds {
  int64_t plain_ending;  // nanoseconds
  int64_t start;
  int64_t deadline() const { return start + time_to_be_gone(plain_ending); }
  std::string note() const {
    if (time_to_be_gone(plain_ending) == time_to_be_gone(0)) return "";
    return "; a slow machine: as many plain ones took " + milliseconds(plain_ending) + ", so " +
           milliseconds(time_to_be_gone(plain_ending)) + " are allowed";
  }
};

// With how long it takes in the end: what is late is told from what stays for good.
Verdict describe_late(const std::vector<Watched>& runs, const Bounds& bounds) {
  std::string evidence;
  for (const Watched& watched : runs) {
    std::vector<std::string> left = wait_until_gone(watched, bounds.deadline());
    if (left.empty()) continue;
    evidence += (evidence.empty() ? "left after " : "; after ") +
                std::string(watched.ending->name) + ": " + text::join(left, ", ");
  }
  int64_t end = seconds_from_now(kLatePatience);
  bool all_gone = std::all_of(runs.begin(), runs.end(), [&](const Watched& watched) {
    return wait_until_gone(watched, end).empty();
  });
  evidence += (all_gone ? "; gone after " : "; still there after ") +
              milliseconds(clock::monotonic() - bounds.start) + bounds.note();
  return {Finding::breached, evidence};
}

// Null: all of them are gone in time.
Result<std::optional<Verdict>> wait_for_all(std::vector<Watched>& runs, const Bounds& bounds) {
  int64_t deadline = bounds.deadline();
  for (Watched& watched : runs) {
    if (!wait_until_gone(watched, deadline).empty())
      return std::optional(describe_late(runs, bounds));
  }
  for (Watched& watched : runs)
    TRY(watched.run.wait(deadline));
  if (!wait_for_strays(deadline))
    return std::optional(Verdict{Finding::breached, "a process escaped the end of its sandbox"});
  return std::optional<Verdict>();
}

Result<Verdict> check_endings(const CheckInputs& inputs, std::span<const Ending> endings) {
  TRY(file::make_dirs(inputs.folder));
  std::set<std::string> mounts_before = read_mount_points();
  TRY_ASSIGN(std::vector<Watched> runs, start_runs(inputs.folder, endings));
  ProcessTree tree = ProcessTree::read();
  for (Watched& watched : runs)
    TRY(find_processes(watched, tree));
  size_t processes = count_processes(runs);
  TRY_ASSIGN(int64_t plain_ending, time_ending_of_plain_processes(processes));
  Bounds bounds{plain_ending, clock::monotonic()};
  size_t out_of_sight = 0;
  for (Watched& watched : runs) {
    if (end(watched)) continue;
    out_of_sight++;
    watched.run.signal(SIGKILL);
  }
  TRY_ASSIGN(auto wrong, wait_for_all(runs, bounds));
  if (wrong) return *wrong;
  std::string evidence = std::to_string(processes) + " processes gone in " +
                         milliseconds(clock::monotonic() - bounds.start) + bounds.note();
  for (const std::string& point : read_mount_points()) {
    if (!mounts_before.contains(point))
      return Verdict{Finding::breached, "the mount " + escape(point) + " is left"};
  }
  if (out_of_sight > 0) evidence += "; /proc hides some that should have been ended";
  return Verdict{Finding::held, evidence};
}

}  // namespace

Result<Verdict> check_ending(const CheckInputs& inputs) { return check_endings(inputs, kEndings); }

Result<Verdict> check_kill_switch(const CheckInputs& inputs) {
  return check_endings(inputs, kKills);
}

}  // namespace ringwall::verify
