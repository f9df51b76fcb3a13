// The branches of a repository, by the names of their refs.
#pragma once

#include <optional>
#include <set>
#include <string>

namespace ringwall::git {

using Branches = std::set<std::string, std::less<>>;

// Nothing: they cannot be told, as with refs that are not kept as files.
std::optional<Branches> read_branches(int git_folder);

}  // namespace ringwall::git
