// Paths of an index. git never puts one there that leads into a git folder or out of the tree, but
// it looks only when it adds them: what an index already holds, `git checkout .` writes.
#pragma once

#include <cstdint>
#include <string_view>

namespace ringwall::git {

// False for those that git refuses to add, on any kind of file system. `from`: where the first
// component begins that is not known to be fine.
bool is_index_path(std::string_view path, uint32_t mode, size_t from = 0);

// A name that some file system takes for .git.
bool may_mean_git(std::string_view name);

}  // namespace ringwall::git
