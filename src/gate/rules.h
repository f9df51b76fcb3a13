// The rules of [tools] and of the packs that are on, compiled: indexed by tool and by a command's
// first word, so that of many rules only the few that could fit are tried.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "gate/answer.h"
#include "policy/policy.h"

namespace ringwall::gate {

std::string_view name_of(Answer answer);

struct Rule {
  Answer answer = Answer::open;
  std::string pattern;  // as written: "Bash(git push *)"
  std::string reason;
  std::string hint;
  Tell tell = Tell::reason;
  std::string origin;  // "/etc/ringwall/policy.toml:3", "pack git-history"
};

struct RuleIndex;

class Ruleset {
 public:
  explicit Ruleset(std::shared_ptr<const RuleIndex> index) : index_(std::move(index)) {}
  const RuleIndex& index() const { return *index_; }

 private:
  std::shared_ptr<const RuleIndex> index_;
};

Result<Ruleset> compile_rules(const policy::Tools& tools);

}  // namespace ringwall::gate
