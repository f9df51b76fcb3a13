// P34: there is no off switch inside.
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <linux/securebits.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/path.h"
#include "base/syscalls.h"
#include "probes/attempt.h"
#include "probes/probe.h"

namespace ringwall::probes {
namespace {

int make_folder_in(const std::string& folder) {
  std::string path = folder + "/.ringwall-probe-" + std::to_string(getpid());
  if (mkdir(path.c_str(), 0700) < 0) return errno;
  rmdir(path.c_str());
  return 0;
}

// Whoever can move a program away can put another in its place.
int move_and_return(const std::string& path) {
  std::string moved = path + ".ringwall-probe";
  if (rename(path.c_str(), moved.c_str()) < 0) return errno;
  rename(moved.c_str(), path.c_str());
  return 0;
}

void try_files(Acts& acts, const Outside& outside) {
  if (!outside.own_binary.empty()) {
    acts.tried("write Ringwall's own program", try_open(outside.own_binary, O_WRONLY | O_APPEND));
    acts.tried("replace Ringwall's own program", move_and_return(outside.own_binary));
    // On the host others may need the folder in that moment, and a folder of that name without the
    // program is another one.
    bool is_here = access(outside.own_binary.c_str(), F_OK) == 0;
    if (is_here && !outside.namespaces.empty() && !shares_namespace(outside, "mnt"))
      acts.tried("move its folder", move_and_return(path::parent(outside.own_binary)));
  }
  for (auto [name, folder] :
       {std::pair("the runs", outside.runs_folder), std::pair("the state", outside.state_folder)}) {
    if (!folder.empty()) acts.tried(std::string("write into ") + name, make_folder_in(folder));
  }
  acts.tried("write the organisation's policy", try_open("/etc/ringwall/policy.toml", O_WRONLY));
}

void try_control_sockets(Acts& acts, const Outside& outside) {
  if (outside.runs_folder.empty()) return;
  std::vector<std::string> runs = names_in(outside.runs_folder);
  if (runs.empty()) return acts.stopped("find a control socket", errno == 0 ? ENOENT : errno);
  for (const std::string& run : runs) {
    // Named by its folder: the path may be longer than a socket's address holds.
    std::string folder = outside.runs_folder + "/" + run;
    int place = open(folder.c_str(), O_PATH | O_DIRECTORY);
    std::string path = "/proc/self/fd/" + std::to_string(place) + "/control";
    acts.tried("connect to a control socket", place < 0 ? errno : try_connect(path));
    if (place >= 0) close(place);
  }
}

int keep_alive_after(int signal) {
  if (kill(1, signal) < 0) return errno;
  usleep(2000);
  return kill(1, 0) == 0 ? EPERM : 0;
}

// Only where pid 1 is the sandbox's own: the host's is left alone.
void try_init(Acts& acts, const Outside& outside) {
  if (outside.namespaces.empty() || shares_namespace(outside, "pid")) return;
  for (int signal : {SIGTERM, SIGKILL, SIGSTOP})
    acts.tried("end pid 1 by signal " + std::to_string(signal), keep_alive_after(signal));
  acts.tried("trace pid 1",
             in_child([] { return ptrace(PTRACE_SEIZE, 1, nullptr, nullptr) == 0 ? 0 : errno; }));
  acts.tried("write pid 1's memory", try_open("/proc/1/mem", O_RDWR));
  acts.tried("list pid 1's descriptors", try_open("/proc/1/fd", O_RDONLY | O_DIRECTORY));
}

int undo(int option, unsigned long value, unsigned long more = 0) {
  return prctl(option, value, more, 0, 0) < 0 ? errno : 0;
}

void try_undoing(Acts& acts) {
  acts.tried("take no_new_privs back", in_child([] { return undo(PR_SET_NO_NEW_PRIVS, 0); }));
  acts.tried("leave the system-call wall",
             in_child([] { return undo(PR_SET_SECCOMP, SECCOMP_MODE_DISABLED); }));
  acts.tried("clear the securebits", in_child([] { return undo(PR_SET_SECUREBITS, 0); }));
  acts.tried("raise an ambient capability",
             in_child([] { return undo(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, CAP_SYS_ADMIN); }));
}

// A second start may not give more than the first one had: whatever it is told to leave out.
void try_second_start(Acts& acts, const Outside& outside) {
  if (outside.own_binary.empty()) return;
  int err = access(outside.own_binary.c_str(), X_OK) == 0 ? 0 : errno;
  if (err != 0) return acts.stopped("start Ringwall inside", err);
  int status = in_child([&] {
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3 && null >= 0; fd++)
      dup2(null, fd);
    setenv("RINGWALL_TAKE_AWAY", "landlock,system-calls,new-root", 1);
    execl(outside.own_binary.c_str(), "ringwall", "run", "--", "/bin/true", nullptr);
    return errno;
  });
  if (status == 0)
    acts.got_in("start Ringwall inside");
  else
    acts.stopped("start Ringwall inside", "exit " + std::to_string(status));
}

}  // namespace

Verdict probe_control(const Outside& outside) {
  Acts acts;
  try_files(acts, outside);
  try_control_sockets(acts, outside);
  try_init(acts, outside);
  try_undoing(acts);
  try_second_start(acts, outside);
  return acts.verdict();
}

}  // namespace ringwall::probes
