// Files of the granted trees that git's settings name: folders of hooks, settings that are
// included, programs of filters and aliases. Git outside runs or obeys them as it does what lies in
// the git folder, so whoever may write them can leave the sandbox.
#pragma once

#include <cstdlib>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ringwall::git {

struct NamedFiles {
  std::vector<std::string> patterns;  // as in files.protect, anchored at the trees
  // Relative to the top of a working tree, a folder with a slash behind it: what settings for all
  // repositories name, and what those of one repository name in each of its worktrees. Git means
  // them in those that are made later too.
  std::vector<std::string> below_tops, below_worktrees;

  bool operator==(const NamedFiles&) const = default;
};

// What lies in `trees` and is named by the settings of the repositories with `git_folders` (each a
// ".git", which may be a file that leads elsewhere, or a bare repository), by the person's in
// `home`, by `others` of theirs and by the host's. Settings that are there and cannot be understood
// are an error: what they name could not be protected.
Result<NamedFiles> files_named_by_git(const std::vector<std::string>& trees,
                                      const std::vector<std::string>& git_folders,
                                      const std::string& home,
                                      const std::vector<std::string>& others = {});

// Settings in other places than the usual ones, where the person's variables have git read them.
std::vector<std::string> git_settings_elsewhere(const char* config_home = getenv("XDG_CONFIG_HOME"),
                                                const char* global = getenv("GIT_CONFIG_GLOBAL"),
                                                const char* system = getenv("GIT_CONFIG_SYSTEM"));

// Remotes that the person's settings and the host's name for every repository: git pushes to one of
// that name without being told to.
std::set<std::string, std::less<>> remotes_named_for_all(
    const std::string& home, const std::vector<std::string>& others = {});

// The pattern of one path, relative to a tree's top.
std::string pattern_for(std::string_view relative);

}  // namespace ringwall::git
