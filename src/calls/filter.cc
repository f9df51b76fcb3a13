#include "calls/filter.h"

#include "calls/install_filter.h"

namespace ringwall::calls {
namespace {

constexpr sock_filter kProgram[] = {
#include "syscall_filter.inc"
};

}  // namespace

std::span<const sock_filter> syscall_filter() { return kProgram; }

Status install_syscall_filter() { return install_filter(kProgram, "the system-call filter"); }

}  // namespace ringwall::calls
