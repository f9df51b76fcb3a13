// What may come into a git config during a run, key by key, in one closed list: everything that is
// not on it is refused.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/git_keys.h"
#include "git/config.h"

namespace ringwall::git {

struct GitConfigRule {
  enum class Where : uint8_t { update, fresh, both };

  std::string_view pattern;  // "remote.*.url"; the star is one whole subsection
  std::string_view values;   // what they may be: "its value must be <values>"
  std::string_view reason;   // who writes it, and why it can stay
  Where where;               // in the person's repository, in one made during the run, in both
  bool may_change;           // what the person has there may be changed or taken away
  bool (*fits)(const git::Key& key, const GitValue& value);
};
std::span<const GitConfigRule> git_config_rules();

// `where` is update or fresh.
const GitConfigRule* rule_for(const git::Key& key, GitConfigRule::Where where);

// A place that git reaches by itself: https, http, ssh, git, a file or a path, through no helper.
bool is_plain_url(std::string_view url);
// Of those, the ones that are a place on this machine.
bool is_local_url(std::string_view url);
// The key of an address, of a remote or a submodule, from which git fetches or to which it pushes.
bool is_address(const git::Key& key);
// The key of a setting that names the remote of a branch, or of all that name none.
bool names_remote(const git::Key& key);
// Why a local one is refused.
inline constexpr std::string_view kNoLocalPlace =
    "on this machine it may only lead by an absolute path into the granted folders, through no "
    "link: "
    "git runs the hooks of a repository that it pushes to";
// As `git check-ref-format` has it, and no byte that a terminal obeys.
bool is_ref_name(std::string_view name);

}  // namespace ringwall::git
