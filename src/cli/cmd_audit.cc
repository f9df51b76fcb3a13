// ringwall audit: what is open, and what waits in a repository.
#include <algorithm>

#include "audit/repository.h"
#include "cli/audit_machine.h"
#include "cli/audit_show.h"
#include "cli/command.h"
#include "cli/output.h"

namespace ringwall::cli {
namespace {

constexpr const char* kRepositoryExamples = R"(Examples:
  ringwall audit repo                      this folder
  ringwall audit repo ~/src/new-project    before any agent opens it
  ringwall audit repo --html report.html   also as a page
  ringwall audit repo --sarif > audit.sarif

All that lies in the folder is read in a sandbox without network that can only
report. What each number means: docs/audit.md.
Exit status: 0 if nothing above "info" was found, 1 if something was, 125 if the
audit could not be made.)";

Result<int> audit_repo(const std::vector<std::string>& arguments, std::span<char> start_area) {
  CommandLine line("Says what in a repository would run or steer something.", "audit repo",
                   "ringwall audit repo [--json | --sarif] [--html FILE] [DIR]");
  line.footer(kRepositoryExamples);
  std::string folder = ".";
  AuditForm form;
  line.add_option("DIR", folder, "the repository; default: this folder");
  add_audit_options(line, form);
  if (auto status = line.parse(arguments)) return *status;
  TRY_ASSIGN(audit::Report report, audit::audit_repository(folder, start_area));
  return show_audit(report, form);
}

}  // namespace

int cmd_audit(const Invocation& invocation) {
  const std::vector<std::string>& arguments = invocation.arguments;
  bool is_repository = !arguments.empty() && arguments[0] == "repo";
  auto status = is_repository
                    ? audit_repo({arguments.begin() + 1, arguments.end()}, invocation.start_area)
                    : audit_this_machine(arguments, invocation.start_area);
  if (status) return *status;
  complain(status.error());
  return kUsageStatus;
}

}  // namespace ringwall::cli
