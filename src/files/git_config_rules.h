// What may come into a git config during a run, key by key, in one closed list: everything that is
// not on it is refused. Beside it, for the words of a refusal, the well-known keys that run or
// redirect something. Both tables are shown in the docs.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "files/git_config.h"

namespace ringwall::files {

struct GitConfigRule {
  enum class Where : uint8_t { update, fresh, both };

  std::string_view pattern;  // "remote.*.url"; the star is one whole subsection
  std::string_view values;   // what they may be: "its value must be <values>"
  std::string_view reason;   // who writes it, and why it can stay
  Where where;               // in the person's repository, in one made during the run, in both
  bool may_change;           // what the person has there may be changed or taken away
  bool (*fits)(const GitKey& key, const GitValue& value);
};
std::span<const GitConfigRule> git_config_rules();

struct GitConfigDanger {
  std::string_view pattern;
  std::string_view does;    // "it <does>"
  std::string_view attack;  // the attack or CVE behind it; may be empty
};
std::span<const GitConfigDanger> git_config_dangers();

// Section and variable in any case; a star for the subsection, or for all of a section ("alias.*").
bool matches_git_key(std::string_view pattern, const GitKey& key);

// `where` is update or fresh.
const GitConfigRule* rule_for(const GitKey& key, GitConfigRule::Where where);
const GitConfigDanger* danger_of(const GitKey& key);

// Why something was refused, for the person: it names only what was found, never what to trust.
struct GitRefusal {
  std::string what;    // the key, hook or line, as it was found
  std::string reason;  // in plain words
  std::string_view attack;

  std::string text() const;
};
GitRefusal refuse_key(std::string_view key, std::string_view reason);
GitRefusal refuse_unlisted(std::string_view key);
GitRefusal refuse_value(std::string_view key, const GitConfigRule& rule);

// A place that git reaches by itself: https, http, ssh, git, a file or a path, through no helper.
bool is_plain_url(std::string_view url);
// Of those, the ones that are a place on this machine.
bool is_local_url(std::string_view url);
// As `git check-ref-format` has it, and no byte that a terminal obeys.
bool is_ref_name(std::string_view name);

}  // namespace ringwall::files
