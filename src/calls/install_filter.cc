#include "calls/install_filter.h"

#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <string>

namespace ringwall::calls {

Status install_filter(std::span<const sock_filter> code, std::string_view which) {
  // The kernel reads it alone.
  sock_fprog program{static_cast<unsigned short>(code.size()),
                     const_cast<sock_filter*>(code.data())};
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) < 0)
    return fail_errno("cannot install " + std::string(which));
  return {};
}

}  // namespace ringwall::calls
