// ringwall pause, ringwall resume: everything inside a run stops, and goes on.
#include "base/text.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "clients/remote.h"

namespace ringwall::cli {
namespace {

int set_paused(CommandLine& line, const Invocation& invocation, bool paused) {
  std::string run;
  line.add_option("RUN", run, "the run's name; see: ringwall ls").required();
  if (auto status = line.parse(invocation.arguments)) return *status;
  auto changed = clients::pause_run(run, paused);
  if (!changed) {
    complain(changed.error());
    return kUsageStatus;
  }
  if (!*changed)
    complain(text::quote(run) + (paused ? " is paused already" : " is not paused"), "");
  return 0;
}

}  // namespace

int cmd_pause(const Invocation& invocation) {
  CommandLine line("Stops every process of a run until it is resumed.", "pause",
                   "ringwall pause RUN");
  line.footer("Example:\n  ringwall pause project-1");
  return set_paused(line, invocation, true);
}

int cmd_resume(const Invocation& invocation) {
  CommandLine line("Lets a paused run go on.", "resume", "ringwall resume RUN");
  line.footer("Example:\n  ringwall resume project-1");
  return set_paused(line, invocation, false);
}

}  // namespace ringwall::cli
