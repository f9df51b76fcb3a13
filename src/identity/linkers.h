// Programs whose output may run where the policy says "built-here", and why each is one.
#pragma once

#include <string_view>

namespace ringwall::identity {

// By the path of a program that lies out of the agent's reach.
bool is_linker(std::string_view path);

// It is told to take its input, or to write its output, as bytes without meaning: such a linker is
// a copying program. `command_line` is as in /proc, its words ended by zero.
bool copies_its_input(std::string_view command_line);

}  // namespace ringwall::identity
