// Files of a tree that the settings of its own repository name: folders of hooks, settings that are
// included, programs of filters and aliases. Git outside runs or obeys them as it does what lies in
// the git folder, so whoever may write them can leave the sandbox.
#pragma once

#include <string>
#include <vector>

namespace ringwall::files {

// Patterns as in files.protect, for what the settings of the repository at `top`, and those of the
// person in `home`, name in the tree itself. Settings that cannot be read name nothing: git does
// not obey them either.
std::vector<std::string> patterns_named_by_git(const std::string& top, const std::string& home);

}  // namespace ringwall::files
