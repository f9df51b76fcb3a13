// Whether this process runs behind the walls.
#pragma once

#include <string_view>

namespace ringwall::sandbox {

// By facts of the kernel alone: no variable, and no file that a repository brings, is asked.
// Outside of every run it is false, whatever is set there. It is for who would refuse outside; no
// wall depends on it.
bool is_inside_run();

// The same from /proc/1/cmdline and /proc/self/status.
bool looks_like_a_run(std::string_view first_process, std::string_view status);

}  // namespace ringwall::sandbox
