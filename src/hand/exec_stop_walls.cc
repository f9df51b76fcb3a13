#include "hand/exec_stop_walls.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "calls/filter_words.h"
#include "calls/install_filter.h"
#include "hand/hand_walls.h"
#include "sandbox/wall.h"

namespace ringwall::hand {
namespace {

using namespace calls::filter_words;

constexpr sandbox::HelperCalls kCalls[] = {
    {"hold the processes inside", "ptrace wait4 kill (SIGKILL, where ptrace cannot)"},
    {"look at what they execute and map",
     "openat (for reading) readlinkat newfstatat fstat statx fstatfs getdents64 read pread64 "
     "lseek"},
    {"keep it from being written", "fcntl (leases, duplicates)"},
    {"talk to the supervisor", "recvmsg sendmsg close"},
    {"wait", "poll ppoll rt_sigtimedwait clock_gettime clock_nanosleep restart_syscall"},
    {"memory of its own", "brk mmap munmap mremap madvise futex"},
    {"know itself", "getpid getuid"},
    {"end", "exit exit_group rt_sigreturn"},
};

constexpr int kAllowedNumbers[] = {SYS_ptrace,
                                   SYS_wait4,
                                   SYS_readlinkat,
                                   SYS_newfstatat,
                                   SYS_fstat,
                                   SYS_statx,
                                   SYS_fstatfs,
                                   SYS_getdents64,
                                   SYS_read,
                                   SYS_pread64,
                                   SYS_lseek,
                                   SYS_recvmsg,
                                   SYS_sendmsg,
                                   SYS_close,
                                   SYS_poll,
                                   SYS_ppoll,
                                   SYS_rt_sigtimedwait,
                                   SYS_clock_gettime,
                                   SYS_restart_syscall,
                                   SYS_brk,
                                   SYS_munmap,
                                   SYS_mremap,
                                   SYS_madvise,
                                   SYS_futex,
                                   SYS_getpid,
                                   SYS_getuid,
                                   SYS_exit,
                                   SYS_exit_group,
                                   SYS_rt_sigreturn,
                                   SYS_clock_nanosleep};

constexpr uint32_t kToWrite = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;

using Code = std::vector<sock_filter>;
constexpr uint32_t kRefuse = SECCOMP_RET_ERRNO | EPERM;

void allow_unless_bits(Code& code, int number, size_t index, uint32_t bits) {
  code.push_back(jump(BPF_JEQ, static_cast<uint32_t>(number), 0, 4));
  code.push_back(load(argument(index)));
  code.push_back(jump(BPF_JSET, bits, 0, 1));
  code.push_back(give(kRefuse));
  code.push_back(give(SECCOMP_RET_ALLOW));
}

void allow_if_second_is(Code& code, int number, const std::vector<uint32_t>& values) {
  code.push_back(
      jump(BPF_JEQ, static_cast<uint32_t>(number), 0, static_cast<uint8_t>(2 * values.size() + 2)));
  code.push_back(load(argument(1)));
  for (uint32_t value : values) {
    code.push_back(jump(BPF_JEQ, value, 0, 1));
    code.push_back(give(SECCOMP_RET_ALLOW));
  }
  code.push_back(give(kRefuse));
}

Code filter(bool needs_kill) {
  Code code = {load(offsetof(seccomp_data, arch)), jump(BPF_JEQ, AUDIT_ARCH_X86_64, 1, 0),
               give(SECCOMP_RET_KILL_PROCESS), load(offsetof(seccomp_data, nr))};
  for (int number : kAllowedNumbers) {
    code.push_back(jump(BPF_JEQ, static_cast<uint32_t>(number), 0, 1));
    code.push_back(give(SECCOMP_RET_ALLOW));
  }
  allow_unless_bits(code, SYS_mmap, 2, PROT_EXEC);
  allow_unless_bits(code, SYS_openat, 2, kToWrite);
  allow_if_second_is(code, SYS_fcntl,
                     {F_SETLEASE, F_GETLEASE, F_SETSIG, F_DUPFD_CLOEXEC, F_GETFL, F_SETFD});
  if (needs_kill) allow_if_second_is(code, SYS_kill, {SIGKILL});
  code.push_back(give(kRefuse));
  return code;
}

int error_of(long result) {
  int err = errno;
  if (result >= 0) close(static_cast<int>(result));
  return result < 0 ? err : 0;
}

}  // namespace

std::span<const sandbox::HelperCalls> exec_stop_calls() { return kCalls; }

Status enter_exec_stop_walls(const ExecStopRoom& room, pid_t parent) {
  TRY(join_sandbox(room.user_namespace, room.mount_namespace, room.identity));
  TRY(sandbox::keep_rights(1u << CAP_SYS_PTRACE));
  // A change of rights clears it.
  TRY(sandbox::die_with(parent));
  if (sandbox::is_taken_away(sandbox::Wall::helper_walls)) return {};
  Code code = filter(room.needs_kill);
  return calls::install_filter(code, "the exec stop's system-call filter");
}

std::vector<TriedAct> try_acts_forbidden_to_exec_stop(int processes, pid_t parent) {
  char* const nothing[] = {nullptr};
  std::string supervisor = std::to_string(parent);
  auto open_of = [&](const char* what) {
    return error_of(
        syscall(SYS_openat, processes, (supervisor + what).c_str(), O_RDONLY | O_CLOEXEC));
  };
  return {
      {"open the supervisor's root", open_of("/root")},
      {"open the supervisor's memory", open_of("/mem")},
      {"trace the supervisor", error_of(syscall(SYS_ptrace, PTRACE_SEIZE, parent, 0, 0))},
      {"make a file", error_of(syscall(SYS_openat, AT_FDCWD, "/tmp", O_TMPFILE | O_RDWR, 0600))},
      {"make a socket", error_of(syscall(SYS_socket, AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))},
      {"start a program", error_of(syscall(SYS_execve, "/nonexistent", nothing, nothing))},
      {"make a process", error_of(syscall(SYS_clone, 0, 0, 0, 0, 0))},
      {"signal its parent", error_of(syscall(SYS_kill, parent, 0))},
  };
}

}  // namespace ringwall::hand
