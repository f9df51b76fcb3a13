// Build-time program: writes the compiled system-call filter as the text of an array initializer.
// libseccomp knows the numbers; the released binary does not need it.
#include <seccomp.h>

#include <cstdio>

#include "calls/filter_compile.h"

int main() {
  auto number_of = [](std::string_view name) {
    return seccomp_syscall_resolve_name_arch(SCMP_ARCH_X86_64, std::string(name).c_str());
  };
  auto program = ringwall::calls::compile_syscall_filter(number_of);
  if (!program) {
    fprintf(stderr, "%s\n", program.error().text().c_str());
    return 1;
  }
  for (const sock_filter& i : *program)
    printf("{%u, %u, %u, %uu},\n", i.code, i.jt, i.jf, i.k);
  return 0;
}
