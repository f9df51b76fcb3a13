// Which names are protected and hidden in a run: those of the tables, of the policy, and what
// settings of the start name in the trees.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "files/hidden.h"
#include "files/protected.h"
#include "git/named_files.h"
#include "policy/policy.h"

namespace ringwall::prepare {

struct GuardedNames {
  files::ProtectedNames protected_names;
  files::HiddenNames hidden_names;
  std::vector<std::string> protect, unprotect;
};

// Besides what the policy and the tables name.
struct NamedElsewhere {
  git::NamedFiles by_git;
  std::vector<std::string> by_agents;  // by settings of agents and editors
  std::vector<std::string> own;        // Ringwall's

  bool operator==(const NamedElsewhere&) const = default;
};

// By the settings of the repositories with these git folders.
Result<git::NamedFiles> named_by_git(const std::vector<std::string>& trees,
                                     const std::vector<std::string>& git_folders,
                                     const std::string& home);

// `git_folders`: those of the start.
Result<GuardedNames> compile_names(const policy::Policy& policy, const NamedElsewhere& named,
                                   const std::vector<std::string>& git_folders);

}  // namespace ringwall::prepare
