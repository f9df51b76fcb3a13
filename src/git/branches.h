// The branches of a repository, by the names of their refs.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ringwall::git {

using Branches = std::set<std::string, std::less<>>;

// Nothing: they cannot be told, as with refs that are not kept as files.
std::optional<Branches> read_branches(int git_folder);

// A branch that is only another name of a ref: who commits on it and pushes does so there.
struct OtherName {
  std::string branch, ref;
  bool operator==(const OtherName&) const = default;
};
// Of `branches`, those that became one at this moment or since; in nanoseconds, of file times.
std::vector<OtherName> find_other_names(int git_folder, const Branches& branches, int64_t since);

// What has git show other commits in the place of those that are there, changed at this moment or
// since: names in the git folder, "refs/replace/HASH" and "info/grafts".
std::vector<std::string> find_replacements(int git_folder, int64_t since);

}  // namespace ringwall::git
