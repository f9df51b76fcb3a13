// What [exec] comes to in one run: which programs are taken away from it, by which rule, and the
// rules by content for whoever judges what is started later.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "identity/denied_files.h"
#include "policy/policy.h"
#include "prepare/guarded_files.h"
#include "sandbox/file_plan.h"

namespace ringwall::prepare {

// A folder or file of the host that a sandbox sees.
struct ShownTree {
  std::string source;
  std::string target;  // inside
  bool writable = false;
  bool of_system = false;
  bool is_grant = false;  // a folder of the caller's, watched while the run goes on
  bool is_layer = false;  // of a cache: another layer may cover what it holds
  bool is_copy = false;   // a file that is made anew inside
};

struct ExecPlan {
  identity::RuleSet wanted;
  identity::Resolution found;
  std::vector<ShownTree> trees;                     // beside those of the search, then copies
  std::shared_ptr<identity::ProgramSearch> search;  // none: every program runs

  bool is_on() const { return search != nullptr; }
  const identity::ExecRules& rules() const { return found.rules; }
  // Where a taken file would be inside; empty if something else covers the place.
  std::string inside(const identity::Taken& taken) const;
};

struct ExecRequest {
  const policy::Policy::Exec& policy;
  std::string home;
  std::string state;  // Ringwall's own folder
  std::vector<ShownTree> trees;
  std::vector<std::string> search_path;  // folders of PATH, outside and inside
};

// What is typed and does nothing in this mode is a mistake. Policy files may hold lists for runs in
// another mode.
Status refuse_idle_flags(const policy::Policy::Exec& exec);

// Nothing is opened where every program runs.
Result<ExecPlan> plan_exec(ExecRequest request);

// Folders of the system that every run sees.
std::vector<ShownTree> system_trees();

// The command that lets a content run from now on and takes nothing away: one entry in the person's
// policy replaces what ran without a list, or by a flag of this run.
std::string command_to_allow(const policy::Policy::Exec& policy, const std::string& digest);

// An error if the program that is to be started, or what starts it, was taken away.
Status check_program(const ExecPlan& plan, const std::string& program);

// What to leave out of the files of a run: names in read-only folders, masks in writable ones;
// grants of single files, and copies, go as a whole.
void take_programs_away(const ExecPlan& plan, GuardedFiles& guarded, sandbox::FileGrants& files);

// Keeps what was found for the next run, and looks at what the start passed over: paths of denied
// programs that came into the system's folders since they were looked at last. Not on the way of
// the start.
Result<std::vector<std::string>> look_at_the_rest(ExecPlan& plan);

// What came into folders of the system that hold no programs is found here, not at the start.
Status check_late_programs(ExecPlan& plan);

}  // namespace ringwall::prepare
