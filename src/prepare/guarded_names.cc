#include "prepare/guarded_names.h"

#include <utility>

namespace ringwall::prepare {
namespace {

std::vector<std::string> values_of(const std::vector<policy::Text>& texts) {
  std::vector<std::string> values;
  for (const policy::Text& text : texts)
    values.push_back(text.value);
  return values;
}

files::BelowTops below_tops(const git::NamedFiles& named, std::vector<std::string> git_folders) {
  files::BelowTops tops;
  for (std::string path : named.below_tops) {
    bool is_folder = path.ends_with('/');
    if (is_folder) path.pop_back();
    tops.names.push_back({std::move(path), is_folder});
  }
  for (std::string path : named.below_worktrees) {
    bool is_folder = path.ends_with('/');
    if (is_folder) path.pop_back();
    tops.names.push_back({std::move(path), is_folder, true});
  }
  tops.known.insert(git_folders.begin(), git_folders.end());
  return tops;
}

}  // namespace

Result<GuardedNames> compile_names(const policy::Policy& policy, const NamedElsewhere& named,
                                   const std::vector<std::string>& git_folders) {
  std::vector<std::string> protect = values_of(policy.files.protect);
  for (const auto& more : {named.by_git.patterns, named.by_agents, named.own})
    protect.insert(protect.end(), more.begin(), more.end());
  std::vector<std::string> unprotect = values_of(policy.files.unprotect);
  TRY_ASSIGN(auto protected_names, files::ProtectedNames::compile(
                                       protect, unprotect, below_tops(named.by_git, git_folders)));
  TRY_ASSIGN(auto hidden_names, files::HiddenNames::compile(values_of(policy.files.hide),
                                                            values_of(policy.files.show)));
  return GuardedNames{std::move(protected_names), std::move(hidden_names), std::move(protect),
                      std::move(unprotect)};
}

Result<git::NamedFiles> named_by_git(const std::vector<std::string>& trees,
                                     const std::vector<std::string>& git_folders,
                                     const std::string& home) {
  return git::files_named_by_git(trees, git_folders, home, git::git_settings_elsewhere());
}

}  // namespace ringwall::prepare
