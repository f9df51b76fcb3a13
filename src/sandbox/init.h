// Pid 1 of the sandbox: starts the command and later ones, reaps, forwards signals, ends with the
// supervisor. When it ends, the kernel ends every process of the pid namespace.
#pragma once

#include "sandbox/child.h"

namespace ringwall::sandbox {

[[noreturn]] void run_init(const ChildInputs& inputs, HandedOut handed_out, Pty pty);

}  // namespace ringwall::sandbox
