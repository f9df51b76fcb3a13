#include "sandbox/syscall_filter.h"

#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ringwall::sandbox {
namespace {

constexpr sock_filter kProgram[] = {
#include "syscall_filter.inc"
};

}  // namespace

std::span<const sock_filter> syscall_filter() { return kProgram; }

Status install_syscall_filter() {
  sock_fprog program{static_cast<unsigned short>(std::size(kProgram)),
                     const_cast<sock_filter*>(kProgram)};
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) < 0) {
    return fail_errno("cannot install the system-call filter");
  }
  return {};
}

}  // namespace ringwall::sandbox
