// P06: processes outside are not seen, signalled, traced or read.
#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/fd.h"
#include "base/file.h"
#include "base/syscalls.h"
#include "probes/attempt.h"
#include "probes/probe.h"

namespace ringwall::probes {
namespace {

// Seizing does not stop the process, and ends with the one that seized.
int seize(pid_t pid) { return ptrace(PTRACE_SEIZE, pid, nullptr, nullptr) == 0 ? 0 : errno; }

// No address is known there: EFAULT says that only the address was wrong.
int read_memory(pid_t pid) {
  char byte;
  iovec here{&byte, 1};
  iovec there{reinterpret_cast<void*>(4096), 1};
  if (process_vm_readv(pid, &here, 1, &there, 1, 0) >= 0 || errno == EFAULT) return 0;
  return errno;
}

int open_by_pid(pid_t pid) {
  Fd process(sys::pidfd_open(pid, 0));
  return process ? 0 : errno;
}

// A process inside may have the same number by chance.
bool is_another(const Outside& outside) {
  unsigned long started = start_time_of(outside.outside_pid);
  return outside.outside_pid_start != 0 && started != 0 && started != outside.outside_pid_start;
}

void aim_at(Acts& acts, const Outside& outside) {
  pid_t pid = outside.outside_pid;
  std::string folder = "/proc/" + std::to_string(pid);
  acts.tried("see a process outside", try_open(folder + "/stat", O_RDONLY));
  acts.tried("signal it", kill(pid, 0) == 0 ? 0 : errno);
  acts.tried("hold it by pidfd", open_by_pid(pid));
  acts.tried("trace it", in_child([&] { return seize(pid); }));
  acts.tried("read its memory by call", read_memory(pid));
  acts.tried("read its memory by file", try_open(folder + "/mem", O_RDONLY));
  acts.tried("read its environment", try_open(folder + "/environ", O_RDONLY));
  acts.tried("list its descriptors", try_open(folder + "/fd", O_RDONLY | O_DIRECTORY));
}

}  // namespace

Verdict probe_processes(const Outside& outside) {
  Acts acts;
  if (outside.outside_pid == 0)
    acts.untried("no process outside was named");
  else if (is_another(outside))
    acts.stopped("find a process outside", "another has its number");
  else
    aim_at(acts, outside);
  // /proc belongs to a pid namespace: in that of another one we would have another number.
  auto self = file::read_link("/proc/self");
  if (!self)
    acts.untried("no /proc");
  else if (*self == std::to_string(getpid()))
    acts.stopped("list the host's /proc", "its own");
  else
    acts.got_in("/proc is the host's");
  acts.tried("read pid 1's memory", try_open("/proc/1/mem", O_RDONLY));
  acts.tried("read pid 1's environment", try_open("/proc/1/environ", O_RDONLY));
  return acts.verdict();
}

}  // namespace ringwall::probes
