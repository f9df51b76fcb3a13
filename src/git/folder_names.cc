#include "git/folder_names.h"

#include <algorithm>
#include <string>

namespace ringwall::git {
namespace {

constexpr std::string_view kHooks[] = {"applypatch-msg",     "pre-applypatch",
                                       "post-applypatch",    "pre-commit",
                                       "pre-merge-commit",   "prepare-commit-msg",
                                       "commit-msg",         "post-commit",
                                       "pre-rebase",         "post-checkout",
                                       "post-merge",         "pre-push",
                                       "pre-receive",        "update",
                                       "proc-receive",       "post-receive",
                                       "post-update",        "reference-transaction",
                                       "push-to-checkout",   "pre-auto-gc",
                                       "post-rewrite",       "sendemail-validate",
                                       "fsmonitor-watchman", "p4-changelist",
                                       "p4-pre-submit",      "p4-prepare-changelist",
                                       "p4-post-changelist", "post-index-change"};

constexpr std::string_view kGuardedInGit[] = {"hooks",  "config",  "config.worktree", "commondir",
                                              "gitdir", "remotes", "branches"};
constexpr std::string_view kWrittenInGit[] = {
    "objects",     "refs",         "logs",      "lfs",          "rr-cache",
    "svn",         "rebase-merge", "sequencer", "rebase-apply", "info/exclude",
    "info/refs",   "info/grafts",  "index",     "packed-refs",  "info/attributes",
    "description", "shallow",      "gc.log",    "gc.pid",       "info/sparse-checkout"};

bool is_any_of(std::string_view relative, std::span<const std::string_view> names) {
  return std::ranges::any_of(names, [&](std::string_view name) {
    return relative == name || relative.starts_with(std::string(name) + "/");
  });
}

}  // namespace

std::span<const std::string_view> hook_names() { return kHooks; }

bool is_guarded_in_git(std::string_view relative) { return is_any_of(relative, kGuardedInGit); }

// "HEAD", "COMMIT_EDITMSG"
bool is_written_by_git(std::string_view relative) {
  constexpr std::string_view kCapitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  return is_any_of(relative, kWrittenInGit) || relative.ends_with(".lock") ||
         relative.find_first_not_of(kCapitals) == relative.npos;
}

}  // namespace ringwall::git
