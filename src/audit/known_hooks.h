// Hooks of git as Git LFS, pre-commit and lefthook write them.
#pragma once

#include <string_view>

namespace ringwall::audit {

// Every line is one that such a tool writes: its name alone in a comment makes nothing harmless.
bool is_hook_of_tool(std::string_view hook);

}  // namespace ringwall::audit
