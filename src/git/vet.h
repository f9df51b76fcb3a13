// Vets what appears in a git folder, or as one, while a run goes on: what git itself writes stays,
// what can run or redirect something outside does not. All of it looks at text and at paths as text
// only; where an answer holds a path, the caller still has to see that no link lies on the way.
//
// What git 2.39 writes by itself:
//   git init, clone        HEAD, config, description, info/exclude, branches/ (empty), objects/,
//                          refs/, and in hooks/ only: applypatch-msg.sample, commit-msg.sample,
//                          fsmonitor-watchman.sample, post-update.sample, pre-applypatch.sample,
//                          pre-commit.sample, pre-merge-commit.sample, pre-push.sample,
//                          pre-rebase.sample, pre-receive.sample, prepare-commit-msg.sample,
//                          push-to-checkout.sample, update.sample
//   git submodule add      PATH/.git         "gitdir: ../.git/modules/NAME"
//                          .git/modules/NAME a repository as above, core.worktree leads to PATH
//   git worktree add       PATH/.git         "gitdir: /ABSOLUTE/.git/worktrees/NAME"
//                          .git/worktrees/NAME/commondir "../..", gitdir "/ABSOLUTE/PATH/.git"
//
// What is interrupted is judged in git/interrupted.h.
#pragma once

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "git/place.h"
#include "git/refusal.h"
#include "git/run_remotes.h"

namespace ringwall::git {

struct NewGitConfig {
  std::string worktree;           // where core.worktree leads, within the trees; empty: nowhere
  std::vector<std::string> ways;  // on which git comes to its local addresses
  bool reads_worktree_config = false;  // what lies there has to be judged as well
  // That lead to other machines. What is pushed to a path stays in the granted folders.
  std::vector<AddedRemote> remotes;
};
// A config of a repository that was not there at the start.
std::expected<NewGitConfig, GitRefusal> judge_new_config(std::string_view text,
                                                         const GitPlace& place);

// A config.worktree that was not there at the start. The repository may be the person's all the
// same, and what it says counts before the repository's config.
std::expected<NewGitConfig, GitRefusal> judge_worktree_config(std::string_view text,
                                                              const GitPlace& place);

// A name in hooks/. Git runs hooks by their name and new versions know new ones, so only names that
// can never be one are inert, whatever the file holds: who made it can still write to it.
std::optional<GitRefusal> judge_hook(std::string_view name);

// A ".git" that is a file: the git folder that it leads to, in form that of a submodule or of a
// linked worktree within the trees. What lies there has to be vetted too.
std::expected<std::string, GitRefusal> judge_git_file(std::string_view text, const GitPlace& place);

// worktrees/NAME/commondir leads to the repository's own folder; anywhere else there is none.
std::optional<GitRefusal> judge_commondir(std::string_view text, const GitPlace& place);

// worktrees/NAME/gitdir: the ".git" file of the worktree, within the trees.
std::expected<std::string, GitRefusal> judge_worktree_gitdir(std::string_view text,
                                                             const GitPlace& place);

}  // namespace ringwall::git
