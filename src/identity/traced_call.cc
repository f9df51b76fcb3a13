#include "identity/traced_call.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>

namespace ringwall::identity {

std::optional<TracedCall> call_of(pid_t task) {
  user_regs_struct now{};
  if (ptrace(PTRACE_GETREGS, task, 0, &now) < 0) return std::nullopt;
  return TracedCall{static_cast<int>(now.orig_rax),
                    {now.rdi, now.rsi, now.rdx, now.r10, now.r8, now.r9},
                    static_cast<long>(now.rax)};
}

bool maps_code(const TracedCall& call) {
  bool is_map = call.number == SYS_mmap;
  bool is_protect = call.number == SYS_mprotect || call.number == SYS_pkey_mprotect;
  if ((!is_map && !is_protect) || (call.arguments[2] & PROT_EXEC) == 0) return false;
  return is_protect || (call.arguments[3] & MAP_ANONYMOUS) == 0;
}

bool makes_file(const TracedCall& call) {
  if (call.number == SYS_creat) return true;
  if (call.number != SYS_open && call.number != SYS_openat) return false;
  uint64_t flags = call.arguments[call.number == SYS_open ? 1 : 2];
  return (flags & O_CREAT) != 0 && (flags & O_ACCMODE) != O_RDONLY;
}

bool refuse_call(pid_t task, int err) {
  user_regs_struct registers{};
  if (ptrace(PTRACE_GETREGS, task, 0, &registers) < 0) return false;
  registers.orig_rax = static_cast<unsigned long long>(-1);
  registers.rax = static_cast<unsigned long long>(-err);
  return ptrace(PTRACE_SETREGS, task, 0, &registers) == 0;
}

}  // namespace ringwall::identity
