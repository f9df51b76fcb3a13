// ringwall shell: a shell in what a review has made of the workspace, where nothing can be changed.
#include <algorithm>

#include "cli/choose_review.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/run_line.h"
#include "session/run.h"
#include "verify/builtin.h"

namespace ringwall::cli {
namespace {

constexpr const char* kFooter =
    R"(What the run has changed lies over the real files, as it would after ringwall
apply. Nothing can be written there, nothing is reached, and the home is empty:
what the agent left is looked at from behind the same walls.

Examples:
  ringwall shell                     the newest review of this folder
  ringwall shell app-1               by its name
  ringwall shell app-1 -- make -n    a command in place of a shell)";

// As if the person had typed it: one way leads to a run.
std::vector<std::string> run_flags(const review::Review& review) {
  std::vector<std::string> flags = {"-w", review.workspace, "--fresh", "--no-network",
                                    "--no-profile"};
  for (const review::ReviewTree& tree : review.trees) {
    if (tree.path == review.workspace) continue;
    flags.insert(flags.end(), {"--ro", tree.path});
  }
  return flags;
}

int show(const Invocation& invocation, const review::Review& review,
         std::vector<std::string> command) {
  prepare::RunRequest request;
  RunOptions options;
  CommandLine line("", "shell", "");
  std::vector<std::string> arguments = run_flags(review);
  PolicyFlags flags(line, arguments);
  if (auto status = line.parse(arguments)) return *status;
  if (Status loaded = load_whole_policy(options, flags, request, false); !loaded) {
    complain(loaded.error());
    return kUsageStatus;
  }
  if (command.empty()) command = {request.caller.shell};
  request.command = command;
  request.shown_review = review;
  bool colours = wants_colours(stderr);
  session::Listeners listeners(2, words_with_advice("ringwall shell", false, colours));
  int status =
      session::run(request, {.tell = [&](const events::Event& event) { listeners.tell(event); },
                             .listeners = &listeners,
                             .start_area = invocation.start_area,
                             .run_builtin = verify::run_builtin});
  listeners.finish(-1, kLastWordsPatience);
  return status;
}

}  // namespace

int cmd_shell(const Invocation& invocation) {
  CommandLine line("A shell in what a review has made of the workspace; nothing can be changed.",
                   "shell", "ringwall shell [RUN] [-- COMMAND…]");
  line.footer(kFooter);
  std::string name;
  line.add_option("RUN", name, "name of a review; see: ringwall history");
  std::vector<std::string> ours = invocation.arguments, command;
  if (auto mark = std::ranges::find(ours, "--"); mark != ours.end()) {
    command.assign(mark + 1, ours.end());
    ours.erase(mark, ours.end());
  }
  if (auto status = line.parse(ours)) return *status;
  auto review = choose_review(name);
  if (!review) {
    complain(review.error());
    return kUsageStatus;
  }
  return show(invocation, *review, std::move(command));
}

}  // namespace ringwall::cli
