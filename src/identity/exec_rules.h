// Which programs may run, by their content: a value made when a run is prepared, and what a verdict
// over one file says.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "base/digest.h"

namespace ringwall::identity {

enum class Mode {
  any,    // every program runs
  deny,   // all but those that are named
  allow,  // none but those that are named
};

struct Verdict {
  bool may_run = true;
  std::string_view rule;  // the entry of the policy that says so; empty: none names it
};

class ExecRules {
 public:
  Mode mode = Mode::any;
  // To the entry of the policy that names each.
  std::unordered_map<Digest, std::string, DigestHash> denied;
  std::unordered_map<Digest, std::string, DigestHash> allowed;
  bool built_here = false;  // what a vetted linker wrote in this sandbox may run too

  // A denial beats an allowance.
  Verdict verdict_of(const Digest& digest) const;
};

}  // namespace ringwall::identity
