// ringwall pause, ringwall resume: everything inside a run stops, and goes on.
#include "base/text.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "session/remote.h"

namespace ringwall::cli {
namespace {

int set_paused(CLI::App& app, const Invocation& invocation, bool paused) {
  std::string run;
  app.add_option("RUN", run, "the run's name; see: ringwall runs")->required();
  if (auto status = parse(app, invocation.arguments)) return *status;
  auto changed = session::pause_run(run, paused);
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
  CLI::App app("Stops every process of a run until it is resumed.", "pause");
  set_usage(app, "ringwall pause RUN");
  app.footer("Example:\n  ringwall pause project-1");
  return set_paused(app, invocation, true);
}

int cmd_resume(const Invocation& invocation) {
  CLI::App app("Lets a paused run go on.", "resume");
  set_usage(app, "ringwall resume RUN");
  app.footer("Example:\n  ringwall resume project-1");
  return set_paused(app, invocation, false);
}

}  // namespace ringwall::cli
