// ringwall guard: root's daemon, a program of its own beside this one.
#include <unistd.h>

#include <cstring>

#include "base/text.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "state/companion.h"

namespace ringwall::cli {

int cmd_guard(const Invocation& invocation) {
  CommandLine line(
      "Enforces the exec rules of every user's sandboxes in the kernel. For root; ends on SIGTERM.",
      "guard", "ringwall guard [--kind KIND]");
  line.footer(
      "As a service: systemctl enable --now ringwall-guard\n"
      "Runs ask for it: ringwall run --guard tracepoints --deny-program npx -- claude");
  std::string kind;
  line.add_option("--kind", kind, "no more than this: tracepoints, lsm (default: the most)")
      .type_name("KIND");
  if (auto status = line.parse(invocation.arguments)) return *status;
  auto program = state::find_companion("ringwall-guard");
  if (!program) {
    complain(program.error());
    return kUsageStatus;
  }
  if (kind.empty()) {
    execl(program->c_str(), "ringwall-guard", nullptr);
  } else {
    execl(program->c_str(), "ringwall-guard", "--kind", kind.c_str(), nullptr);
  }
  complain("cannot start " + text::quote(*program), strerror(errno));
  return kUsageStatus;
}

}  // namespace ringwall::cli
