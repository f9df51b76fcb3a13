// What --fix would change, as a value: nothing is written here. Only files of the person's own, and
// only changes that take something dangerous back or add a denial. Each one is tried on the text
// first: the file must read as before, without that finding and with no other.
//
// The scanner's word decides which findings are looked at, never what is written: that comes from
// the checks themselves, which run once more over the person's files.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "audit/finding.h"
#include "machine_audit/fix_edits.h"
#include "machine_audit/machine.h"

namespace ringwall::machine_audit {

struct FixPlan {
  std::string home;
  uid_t uid = 0;
  std::vector<PlannedFile> files;
  std::vector<LeftFinding> left;

  bool empty() const { return files.empty(); }
};

Result<FixPlan> plan_fixes(const MachineRequest& request, const audit::Report& report);

}  // namespace ringwall::machine_audit
