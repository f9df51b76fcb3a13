#include "base/program_pages.h"

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace ringwall {
namespace {

constexpr int kIdle = 300;  // milliseconds

// What cannot be written is as it is in the file.
int forget_parts(dl_phdr_info* program, size_t, void*) {
  if (strstr(program->dlpi_name, "linux-vdso") != nullptr) return 0;  // the kernel's own, no file
  auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  for (int i = 0; i < program->dlpi_phnum; i++) {
    const ElfW(Phdr)& part = program->dlpi_phdr[i];
    if (part.p_type != PT_LOAD || (part.p_flags & PF_W) != 0) continue;
    uintptr_t start = (program->dlpi_addr + part.p_vaddr) & ~(page - 1);
    uintptr_t end = program->dlpi_addr + part.p_vaddr + part.p_memsz;
    (void)madvise(reinterpret_cast<void*>(start), end - start, MADV_DONTNEED);  // only thrift
  }
  return 0;
}

}  // namespace

void forget_program_pages() { dl_iterate_phdr(forget_parts, nullptr); }

int IdleThrift::wait_time(int longest) const {
  if (is_done_) return longest;
  return longest < 0 ? kIdle : std::min(longest, kIdle);
}

void IdleThrift::after_wait(int ready) {
  if (ready != 0 || is_done_) return;
  is_done_ = true;
  forget_program_pages();
}

}  // namespace ringwall
