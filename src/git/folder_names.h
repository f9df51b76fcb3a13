// Names that git itself gives to what lies in its folders.
#pragma once

#include <span>
#include <string_view>

namespace ringwall::git {

// For settings that have the top of a tree be the folder of hooks.
std::span<const std::string_view> hook_names();

// Paths below a git folder: what the table of protected files names there, and what git writes all
// day. A command that reads such a file does not run it.
bool is_guarded_in_git(std::string_view relative);
bool is_written_by_git(std::string_view relative);

}  // namespace ringwall::git
