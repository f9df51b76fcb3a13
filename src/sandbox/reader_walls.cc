#include "sandbox/reader_walls.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "base/sanitized.h"
#include "calls/filter_words.h"
#include "calls/install_filter.h"

namespace ringwall::sandbox {
namespace {

using calls::filter_words::argument;
using calls::filter_words::give;
using calls::filter_words::jump;
using calls::filter_words::load;

constexpr uint32_t kRefuse = SECCOMP_RET_ERRNO | EPERM;
constexpr size_t kNumber = offsetof(seccomp_data, nr);

// Look at files, hold memory, say something over what is open, end.
constexpr int kAllowed[] = {
    SYS_read,          SYS_write,      SYS_close,        SYS_sendmsg,        SYS_sendto,
    SYS_fstat,         SYS_newfstatat, SYS_statx,        SYS_stat,           SYS_lstat,
    SYS_readlink,      SYS_readlinkat, SYS_access,       SYS_faccessat,      SYS_faccessat2,
    SYS_getdents64,    SYS_lseek,      SYS_pread64,      SYS_getcwd,         SYS_fcntl,
    SYS_brk,           SYS_munmap,     SYS_mremap,       SYS_madvise,        SYS_futex,
    SYS_exit,          SYS_exit_group, SYS_rt_sigreturn, SYS_rt_sigprocmask, SYS_rt_sigaction,
    SYS_clock_gettime, SYS_getrandom,  SYS_getuid,       SYS_geteuid,        SYS_getgid,
    SYS_getegid,       SYS_getpid,     SYS_gettid,       SYS_statfs,         SYS_fstatfs,
};

// One call that may not have these bits in an argument.
void allow_without(std::vector<sock_filter>& code, int number, size_t index, uint32_t bits) {
  code.push_back(jump(BPF_JEQ, static_cast<uint32_t>(number), 0, 4));
  code.push_back(load(argument(index)));
  code.push_back(jump(BPF_JSET, bits, 0, 1));
  code.push_back(give(kRefuse));
  code.push_back(give(SECCOMP_RET_ALLOW));
}

std::vector<sock_filter> reader_filter() {
  std::vector<sock_filter> code = {load(offsetof(seccomp_data, arch)),
                                   jump(BPF_JEQ, AUDIT_ARCH_X86_64, 1, 0),
                                   give(SECCOMP_RET_KILL_PROCESS), load(kNumber)};
  for (int number : kAllowed) {
    code.push_back(jump(BPF_JEQ, static_cast<uint32_t>(number), 0, 1));
    code.push_back(give(SECCOMP_RET_ALLOW));
  }
  constexpr uint32_t kWriting =
      O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY);
  constexpr uint32_t kExecutable = 0x4;  // PROT_EXEC
  allow_without(code, SYS_openat, 2, kWriting);
  allow_without(code, SYS_open, 1, kWriting);
  allow_without(code, SYS_mmap, 2, kExecutable);
  allow_without(code, SYS_mprotect, 2, kExecutable);
  code.push_back(give(kRefuse));
  return code;
}

Status limit(int what, uint64_t most) {
  rlimit now{};
  if (getrlimit(static_cast<__rlimit_resource>(what), &now) < 0)
    return fail_errno("cannot read a limit");
  rlimit wanted{std::min<rlim_t>(most, now.rlim_max), std::min<rlim_t>(most, now.rlim_max)};
  if (setrlimit(static_cast<__rlimit_resource>(what), &wanted) < 0)
    return fail_errno("cannot set a limit");
  return {};
}

}  // namespace

Status enter_reader_walls(uint64_t most_bytes, uint64_t most_seconds) {
  if (!kIsSanitized) TRY(limit(RLIMIT_AS, most_bytes));
  TRY(limit(RLIMIT_CPU, most_seconds));
  TRY(limit(RLIMIT_CORE, 0));
  TRY(limit(RLIMIT_FSIZE, 0));
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return fail_errno("cannot give up privileges");
  std::vector<sock_filter> code = reader_filter();
  return calls::install_filter(code, "the reader's system-call filter");
}

}  // namespace ringwall::sandbox
