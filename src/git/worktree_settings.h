// The second config of a working tree, config.worktree, which git reads once
// extensions.worktreeConfig is set. git sparse-checkout sets it, and writes what it decides there.
#pragma once

#include <optional>
#include <string_view>

#include "base/git_keys.h"
#include "git/place.h"
#include "git/refusal.h"

namespace ringwall::git {

inline constexpr std::string_view kWorktreeConfig = "config.worktree";
inline constexpr std::string_view kReadsWorktreeConfig = "extensions.worktreeconfig";

// Why the key may not come into one during a run, whatever its value.
std::optional<GitRefusal> judge_worktree_key(std::string_view key);

// Those that lie in the git folder at `place`, and in its worktrees/, and would be obeyed from now
// on: what nobody has read until then must not wake up.
std::optional<GitRefusal> judge_sleeping_settings(const GitPlace& place);

}  // namespace ringwall::git
