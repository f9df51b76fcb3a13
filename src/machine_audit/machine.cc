#include "machine_audit/machine.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/file.h"
#include "base/pipe.h"
#include "machine_audit/scan.h"

namespace ringwall::machine_audit {
namespace {

constexpr size_t kMostReportBytes = 8u << 20;

// In a run there is a sandbox already, and none can be built in it: a process of its own reads,
// with the reader's walls alone.
Result<audit::Report> scan_inside(const std::vector<std::string>& arguments) {
  TRY_ASSIGN(Pipe report, make_pipe());
  Fd ours = std::move(report.read), theirs = std::move(report.write);
  pid_t pid = fork();
  if (pid < 0) return fail_errno("cannot start the scanner");
  if (pid == 0) {
    ours.close();
    if (dup2(theirs.get(), STDOUT_FILENO) < 0) _exit(1);
    _exit(audit::work_as_scanner(scan_machine, arguments));
  }
  theirs.close();
  auto lines = file::read_all(ours.get(), kMostReportBytes);
  ours.close();
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (!lines) return std::unexpected(lines.error());
  return audit::parse_report(*lines);
}

Result<audit::Report> scan(const MachineRequest& request, const MachineFiles& files) {
  if (files.entries.empty() && files.in_use.empty()) return audit::Report{};
  bool is_shown = !request.is_inside;
  std::vector<std::string> arguments = tell_scanner(request, files, is_shown);
  if (!is_shown) return scan_inside(arguments);
  std::vector<audit::Shown> shown;
  for (size_t i = 0; i < files.entries.size(); i++)
    shown.push_back({files.entries[i].real, machine_place(i)});
  return audit::scan_in_sandbox({.task = "machine",
                                 .run = audit::run_scanner<scan_machine>,
                                 .arguments = std::move(arguments),
                                 .shown = std::move(shown),
                                 .start_area = request.start_area});
}

}  // namespace

Result<audit::Report> audit_machine(const MachineRequest& request) {
  MachineFiles files = find_machine_files(request);
  TRY_ASSIGN(audit::Report report, scan(request, files));
  look_at_host(request, report.findings);
  for (Finding& finding : files.findings)
    report.findings.push_back(std::move(finding));
  if (!files.is_whole) {
    report.is_whole = false;
    report.incomplete = "there are more settings than it looks at";
  }
  report.subject = "this machine";
  audit::put_in_order(report);
  return report;
}

}  // namespace ringwall::machine_audit
