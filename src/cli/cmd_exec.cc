// ringwall exec: a further command inside a run, started by its pid 1 behind the same walls.
#include "base/text.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "clients/remote.h"
#include "prepare/start_failure.h"

namespace ringwall::cli {

int cmd_exec(const Invocation& invocation) {
  CommandLine line("Starts a further command inside a run.", "exec",
                   "ringwall exec RUN [--] COMMAND [ARGUMENTS…]");
  line.footer("Example:\n  ringwall exec project-1 -- ps aux");
  std::vector<std::string> arguments = invocation.arguments;
  bool own_flag = !arguments.empty() && arguments[0].starts_with('-') && arguments[0] != "--";
  if (own_flag) {
    if (auto status = line.parse(arguments)) return *status;
  }
  if (arguments.empty() || arguments[0].starts_with('-')) {
    complain("no run and no command given", "try: ringwall exec RUN -- COMMAND; see: ringwall ls");
    return kUsageStatus;
  }
  std::string run = arguments[0];
  arguments.erase(arguments.begin());
  if (!arguments.empty() && arguments[0] == "--") arguments.erase(arguments.begin());
  if (arguments.empty()) {
    complain("no command to run", "try: ringwall exec " + text::quote(run) + " -- COMMAND");
    return kUsageStatus;
  }
  auto outcome = clients::run_in(run, {"", arguments, ""}, {0, 1, 2});
  if (!outcome) {
    complain(outcome.error());
    return kUsageStatus;
  }
  if (outcome->kind == processes::Outcome::Kind::cannot_run) {
    tell(prepare::advise(prepare::explain_exec_failure(arguments[0], outcome->value),
                         "ringwall exec " + text::quote(run)),
         false);
  }
  return outcome->exit_status();
}

}  // namespace ringwall::cli
