// Decides about an update of a git config that was asked for inside: every change on the closed
// list (config_rules.h), and none that leads the person's own branches and remotes elsewhere.
//
// Compared with two states: the one that the person left (at the start of the run, or since then
// from outside) and the last one that was let through. The first is what must not be redirected,
// not even in several steps: a remote that was removed and comes back, or was renamed and then
// changed. The second is what the update was made from.
#pragma once

#include <expected>
#include <set>
#include <string>
#include <vector>

#include "git/branches.h"
#include "git/config.h"
#include "git/place.h"
#include "git/refusal.h"
#include "git/run_remotes.h"

namespace ringwall::git {

// What a config alone does not tell.
struct GitScene {
  GitPlace place = {};
  RemoteNames of_runs = {};               // remotes that runs have added, this one or earlier ones
  std::optional<Branches> branches = {};  // at the start; nothing: any name may be one
  int64_t start = 0;                      // nanoseconds, of file times
  // Of those branches, what became another name just before: a file time is not exact.
  std::vector<OtherName> other_names = {};
  RemoteNames named_elsewhere = {};   // by settings that count for every repository
  bool is_of_worktree = false;        // a config.worktree
  std::set<std::string> listed = {};  // addresses that .gitmodules held at the start
};

struct GitConfigUpdate {
  std::string text;                  // to write: the last text with its changed keys
  std::vector<std::string> changed;  // keys; names chosen inside
  std::vector<AddedRemote> added;    // addresses that were not there
};

std::expected<GitConfigUpdate, GitRefusal> judge_git_config(const GitConfig& person,
                                                            const GitConfig& last,
                                                            const GitConfig& wanted,
                                                            const GitScene& scene);

// Of every local address of a remote, as far as it may lead there; links are not looked for.
std::vector<std::string> ways_of_remotes(const GitConfig& config, const GitPlace& place);

}  // namespace ringwall::git
