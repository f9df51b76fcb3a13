#include "identity/exec_rules.h"

namespace ringwall::identity {

Verdict ExecRules::verdict_of(const Digest& digest) const {
  if (mode == Mode::any) return {};
  if (auto found = denied.find(digest); found != denied.end()) return {false, found->second};
  if (mode == Mode::deny) return {};
  auto found = allowed.find(digest);
  if (found == allowed.end()) return {false, {}};
  return {true, found->second};
}

}  // namespace ringwall::identity
