// ringwall attach: the terminal of a run, on this terminal.
#include "base/text.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/run_line.h"
#include "clients/remote.h"
#include "state/control.h"

namespace ringwall::cli {
namespace {

constexpr const char* kExamples = R"(Examples:
  ringwall attach project-1           go on where it was left
  ringwall attach --watch project-1   look on; Ctrl-C leaves
  ringwall attach --take project-1    from whoever has it now

Ctrl-\ Ctrl-\ leaves again and the run goes on; closing the window ends the run.
Exit status: that of the run if it ends here, else 0.)";

}  // namespace

int cmd_attach(const Invocation& invocation) {
  CommandLine line("Shows the terminal of a run on this terminal.", "attach",
                   "ringwall attach [OPTIONS] RUN");
  line.footer(kExamples);
  std::string run;
  std::string keys(terminal::kDefaultDetachKeys);
  bool watch = false;
  bool take = false;
  line.add_option("RUN", run, "the run's name; see: ringwall ls").required();
  Option watches = line.add_flag("--watch", watch, "look on without typing");
  line.add_flag("--take", take, "take over from another terminal").excludes(watches);
  line.add_option("--detach-keys", keys, "keys that leave, or none").type_name("KEYS");
  if (auto status = line.parse(invocation.arguments)) return *status;
  auto mode = watch  ? state::AttachMode::watch
              : take ? state::AttachMode::take_over
                     : state::AttachMode::alone;
  auto detach = terminal::DetachKeys::parse(keys);
  if (!detach) {
    complain(detach.error());
    return kUsageStatus;
  }
  auto parting = clients::attach_to(run, mode, *detach);
  if (!parting) {
    complain(parting.error());
    return kUsageStatus;
  }
  using Kind = clients::Parting::Kind;
  if (parting->kind == Kind::ended) return parting->value;
  if (parting->kind == Kind::refused || parting->kind == Kind::lost) {
    complain(parting->kind == Kind::lost ? "the run has ended" : parting->text, "");
    return kUsageStatus;
  }
  if (watch) return 0;
  // Its terminal may take nothing.
  session::Listeners person(2, words_with_advice("", false, wants_colours(stderr)));
  person.tell(events::Detached{run, parting->kind == Kind::replaced});
  person.finish(-1, kLastWordsPatience);
  return 0;
}

}  // namespace ringwall::cli
