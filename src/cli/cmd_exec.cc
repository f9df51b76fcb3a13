// ringwall exec: a further command inside a run, started by its pid 1 behind the same walls.
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "base/text.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "session/places.h"
#include "session/remote.h"

namespace ringwall::cli {

int cmd_exec(const Invocation& invocation) {
  CLI::App app("Starts a further command inside a run.", "exec");
  set_usage(app, "ringwall exec RUN [--] COMMAND [ARGUMENTS…]");
  app.footer("\nExample:\n  ringwall exec project-1 -- ps aux");
  std::vector<std::string> words;
  app.add_option("words", words, "the run's name and the command")->required()->expected(-1);
  app.prefix_command();
  std::vector<std::string> arguments = invocation.arguments;
  if (arguments.empty() || arguments[0].starts_with('-')) {
    if (auto status = parse(app, arguments)) return *status;
  }
  std::string run = arguments[0];
  arguments.erase(arguments.begin());
  if (!arguments.empty() && arguments[0] == "--") arguments.erase(arguments.begin());
  if (arguments.empty()) {
    complain("no command to run", "try: ringwall exec " + text::quote(run) + " -- COMMAND");
    return kUsageStatus;
  }
  auto outcome = session::run_in(run, {"", arguments, ""}, {0, 1, 2});
  if (!outcome) {
    complain(outcome.error());
    return kUsageStatus;
  }
  if (outcome->kind == session::Outcome::Kind::cannot_run) {
    tell(events::CannotRun{arguments[0], strerror(outcome->value), ""}, false);
  }
  return outcome->exit_status();
}

}  // namespace ringwall::cli
