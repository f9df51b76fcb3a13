// Allow mode's part of the mounts: what can be written cannot be executed. Pure.
#pragma once

#include <string>
#include <vector>

#include "sandbox/plan.h"

namespace ringwall::sandbox {

// Every writable mount becomes noexec, but for those in `trees`. A tree that is part of a mount
// gets one of its own.
void withhold_execution(std::vector<Mount>& mounts, const std::vector<std::string>& trees);

// /proc becomes read-only: what is written to /proc/PID/mem goes past the rights of a mapping, into
// code too.
void withhold_memory_files(std::vector<Mount>& mounts);

}  // namespace ringwall::sandbox
