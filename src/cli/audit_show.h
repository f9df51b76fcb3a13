// How the commands of `ringwall audit` show a report: what they take for it, and where it goes.
#pragma once

#include <optional>
#include <string>

#include "audit/finding.h"
#include "base/result.h"
#include "cli/options.h"

namespace ringwall::cli {

struct AuditForm {
  bool json = false;
  bool sarif = false;
  std::optional<std::string> html;  // a file to write
};

void add_audit_options(CommandLine& line, AuditForm& form);

// Returns the exit status.
Result<int> show_audit(const audit::Report& report, const AuditForm& form);

}  // namespace ringwall::cli
