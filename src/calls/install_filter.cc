#include "calls/install_filter.h"

#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "base/sanitized.h"
#include "calls/filter_words.h"

namespace ringwall::calls {
namespace {

// A sanitizer asks for the stack of signals wherever a function does not return, and ends a process
// that is refused.
std::vector<sock_filter> with_call_of_sanitizers(std::span<const sock_filter> code) {
  using namespace filter_words;
  std::vector<sock_filter> all = {load(offsetof(seccomp_data, nr)),
                                  jump(BPF_JEQ, SYS_sigaltstack, 0, 1), give(SECCOMP_RET_ALLOW)};
  all.insert(all.end(), code.begin(), code.end());
  return all;
}

}  // namespace

Status install_filter(std::span<const sock_filter> code, std::string_view which) {
  std::vector<sock_filter> longer;
  if constexpr (kIsSanitized) code = longer = with_call_of_sanitizers(code);
  // The kernel reads it alone.
  sock_fprog program{static_cast<unsigned short>(code.size()),
                     const_cast<sock_filter*>(code.data())};
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) < 0)
    return fail_errno("cannot install " + std::string(which));
  return {};
}

}  // namespace ringwall::calls
