// Carries out what fix_plan.h planned. A file is replaced as a whole, so that nobody sees half of
// it, and a copy of the old one is kept. Links, files of others, and files that have changed since
// the plan was made are left alone.
#pragma once

#include <string>
#include <vector>

#include "machine_audit/fix_plan.h"

namespace ringwall::machine_audit {

struct FixedFile {
  std::string path;
  std::vector<std::string> numbers;
  std::string restore;  // a command for a shell
  std::string why_not;  // not empty: it was left as it is
};

// Copies lie in a new folder below `backups`.
Result<std::vector<FixedFile>> apply_fixes(const FixPlan& plan, const std::string& backups);

}  // namespace ringwall::machine_audit
