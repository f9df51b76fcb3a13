// From a policy to what root's guard is asked to enforce.
#pragma once

#include "base/result.h"
#include "guard/guard_client.h"
#include "identity/exec_rules.h"
#include "policy/policy.h"

namespace ringwall::prepare {

guard::GuardOrder plan_guard(const policy::Policy::Exec& exec, const identity::ExecRules& rules);

// Why a run does not start, in the words of doctor.
Error describe_missing_guard(const policy::Policy::Exec& exec, const Error& error);

}  // namespace ringwall::prepare
