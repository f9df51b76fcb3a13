// From the policy's [exec] to what the sandbox and the exec stop are built for.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "identity/exec_judge.h"
#include "policy/policy.h"
#include "prepare/grants.h"
#include "sandbox/plan.h"
#include "state/places.h"

namespace ringwall::prepare {

struct PlannedPrograms {
  calls::ExecPlan exec;
  identity::StopRules rules;
  std::vector<std::string> trees;  // writable, and programs may run from them; real paths
};

struct ProgramsRequest {
  const policy::Policy::Exec& wanted;
  identity::ExecRules rules;
  const GrantedFiles& granted;
  const std::vector<sandbox::Grant>& toolchain;  // more of the caller's trees
  std::string home;
  std::string command;  // the program that is to be run
};

// An error: a tree that is none, or a debugger where every process is traced already.
Result<PlannedPrograms> plan_programs(ProgramsRequest request);

// True for debuggers and their kin: where the exec stop traces every process, they cannot.
bool is_tracer(const std::string& program);

}  // namespace ringwall::prepare
