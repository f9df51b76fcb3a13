#include "guard/kernel_programs.h"

// GUARD_PROGRAMS is the build's folder for them. libbpf wants them at an even place.
#define EMBED(name, file)                               \
  asm(".pushsection .rodata\n.balign 16\n" #name        \
      "_start:\n"                                       \
      ".incbin \"" GUARD_PROGRAMS "/" file "\"\n" #name \
      "_end:\n"                                         \
      ".popsection\n");                                 \
  extern "C" const char name##_start[], name##_end[]

EMBED(ringwall_trace, "trace.bpf.o");
EMBED(ringwall_lsm, "lsm.bpf.o");

namespace ringwall::guard {

std::string_view trace_programs() {
  return {ringwall_trace_start, static_cast<size_t>(ringwall_trace_end - ringwall_trace_start)};
}

std::string_view lsm_programs() {
  return {ringwall_lsm_start, static_cast<size_t>(ringwall_lsm_end - ringwall_lsm_start)};
}

}  // namespace ringwall::guard
