// From the rules of [exec] to what must be missing in a sandbox: every file of a denied content
// under any name, every denied name, every script that only leads there; in mode allow, every
// program of the read-only trees that nothing allows.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "identity/exec_rules.h"
#include "identity/program_search.h"
#include "policy/origin.h"
#include "policy/programs.h"

namespace ringwall::identity {

// One entry of exec.deny or exec.allow.
struct RuleEntry {
  policy::ProgramRule rule;
  std::string text;  // as it was written
  policy::Origin origin = {};
};

struct RuleSet {
  Mode mode = Mode::any;
  std::vector<RuleEntry> deny;
  std::vector<RuleEntry> allow;
};

struct Taken {
  enum class Reason {
    name,       // the rule names it, or a link of that name leads to it
    content,    // another name of the same bytes
    wrapper,    // a script that does nothing but start it
    unknown,    // it may be the same: its size is, and what it holds cannot be known
    unallowed,  // in mode allow: nothing allows it
  };
  Program program;
  Reason reason = Reason::name;
  Digest digest = {};  // of a link, or of what cannot be known: all zero
  std::string rule;    // the entry of the policy, as written; empty: the lack of one
  policy::Origin origin = {};
  std::string why;  // for people
};

struct Resolution {
  ExecRules rules;
  std::vector<Taken> taken;
  std::vector<std::string> notes;  // names that match nothing
};

// Looks at every rule. What cannot be resolved (a file: that is missing) is an error with its
// place.
Result<Resolution> resolve_rules(const RuleSet& rules, ProgramSearch& search);

}  // namespace ringwall::identity
