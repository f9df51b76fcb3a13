#include "prepare/guard_plan.h"

#include <algorithm>

#include "base/text.h"

namespace ringwall::prepare {
namespace {

using guard::GuardRequest;
using Named = std::unordered_map<Digest, std::string, DigestHash>;

bool names_class(const std::vector<policy::Text>& entries, std::string_view name) {
  return std::any_of(entries.begin(), entries.end(),
                     [&](const policy::Text& entry) { return entry.value == name; });
}

std::vector<Digest> digests_of(const Named& named) {
  std::vector<Digest> digests;
  for (const auto& [digest, entry] : named)
    digests.push_back(digest);
  return digests;
}

guard::Kind kind_named(std::string_view name) {
  for (guard::Kind kind : {guard::Kind::tracepoints, guard::Kind::lsm}) {
    if (guard::name_of(kind) == name) return kind;
  }
  return guard::Kind::none;
}

}  // namespace

guard::GuardOrder plan_guard(const policy::Policy::Exec& exec, const identity::ExecRules& rules) {
  guard::GuardOrder order;
  order.least = kind_named(exec.guard.value);
  // Where every program runs there is nothing to enforce.
  if (rules.mode == identity::Mode::any) order.least = guard::Kind::none;
  if (order.least == guard::Kind::none) return order;
  order.denied = digests_of(rules.denied);
  if (rules.mode != identity::Mode::allow) {
    order.flags = GuardRequest::kAnonymous;
    return order;
  }
  order.flags = GuardRequest::kAllowList;
  if (exec.allow.empty() || names_class(exec.allow, "system")) order.flags |= GuardRequest::kSystem;
  if (rules.built_here) order.flags |= GuardRequest::kBuiltHere;
  // Whoever names a program means it with its compiler, if it has one. What the read-only trees
  // hold the guard knows by its place.
  for (const auto& [digest, entry] : rules.allowed) {
    if (entry != "system") order.named.push_back(digest);
  }
  return order;
}

Error describe_missing_guard(const policy::Policy::Exec& exec, const Error& error) {
  return {"the policy asks for the guard " + text::quote(exec.guard.value) + " (" +
              exec.guard.origin.text() + "): " + error.text(),
          0, error.hint.empty() ? "see what this host gives: ringwall doctor" : error.hint};
}

}  // namespace ringwall::prepare
