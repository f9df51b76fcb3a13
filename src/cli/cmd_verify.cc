// ringwall verify: every promise, tried for real, in a sandbox of its own or in a run
// that is going on.
#include <unistd.h>

#include "base/layout.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "verify/verify.h"

namespace ringwall::cli {
namespace {

constexpr const char* kExamples = R"(Examples:
  ringwall verify               in a sandbox started for it
  ringwall verify project-1     in the run of that name; see: ringwall ls

Exit status: the number of promises that were not kept, at most 100; 125 if
nothing could be verified.)";

constexpr int kInterruptedStatus = 130;
constexpr size_t kLeastColumns = 100;
constexpr size_t kMostColumns = 140;

std::string text_for_terminal(const verify::Report& report) {
  Style style = style_for(stdout);
  return verify::as_text(
      report, layout::screen_width(STDOUT_FILENO, kLeastColumns, kMostColumns),
      {style.bold, style.dim, style.red, style.green, style.yellow, style.plain});
}

}  // namespace

int cmd_verify(const Invocation& invocation) {
  CommandLine line("Tries every promise from inside.", "verify", "ringwall verify [--json] [RUN]");
  line.footer(kExamples);
  std::string run;
  bool json = false;
  line.add_option("RUN", run, "a run that is going on; default: a sandbox started for this check");
  line.add_flag("--json", json, "one JSON object: rows and counts");
  if (auto status = line.parse(invocation.arguments)) return *status;
  if (line.was_given("RUN") && run.empty()) {
    complain("RUN is empty", "name a run (ringwall ls), or none for a sandbox of its own");
    return kUsageStatus;
  }
  auto report = verify::verify(run);
  if (!report) {
    if (report.error().err == EINTR) return kInterruptedStatus;
    complain(report.error());
    return kUsageStatus;
  }
  std::string out = json ? verify::as_json(*report) : text_for_terminal(*report);
  fputs(out.c_str(), stdout);
  if (!report->trouble.empty()) complain(report->trouble, "");
  return verify::exit_status(verify::count(report->rows));
}

}  // namespace ringwall::cli
