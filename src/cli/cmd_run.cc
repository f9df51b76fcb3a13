// ringwall run: a command behind the walls.
#include <unistd.h>

#include <optional>

#include "cli/command.h"
#include "cli/explain.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/past_shim.h"
#include "cli/run_line.h"
#include "prepare/start_failure.h"
#include "session/run.h"
#include "verify/builtin.h"

namespace ringwall::cli {
namespace {

constexpr const char* kExamples = R"(Examples:
  ringwall run bash                         in the repository around this folder
  ringwall run -- npm test                  any command; its own flags after --
  ringwall run -w ~/src/app --ro ~/data sh  another workspace, a folder to read
  ringwall run --cache npm -- npm ci        with packages of this machine
  ringwall run --explain bash               what would be there, and why
  ringwall run -d --cast ~/day.cast claude  in the background, recorded

Exit status: the command's own; 128 + signal if it was killed; 126 or 127 if it
cannot be run; 125 if Ringwall refuses; 124 if its time is over.)";

int refuse(const Error& error, bool json) {
  tell(events::Refused{"", error.text(), error.hint}, json);
  return kUsageStatus;
}

int explain(prepare::RunRequest& request, bool json) {
  request.register_it = false;
  prepare::Preparation prepared{.request = request};
  if (Status done = prepare::prepare(prepared); !done) return refuse(done.error(), json);
  auto failure = prepare::foresee_start_failure(prepared);
  print_explanation(prepared, failure ? failure->event.what : "", json);
  return failure ? failure->exit_status : 0;
}

// An exit status if that is all there is to do. `flags` look into `line`.
std::optional<int> parse_flags(const Invocation& invocation, std::optional<CommandLine>& line,
                               PolicyFlags& flags, RunOptions& options, bool& only_explain,
                               prepare::RunRequest& request) {
  line.emplace("Runs a command behind the walls.", "run",
               "ringwall run [OPTIONS] [--] COMMAND [ARGUMENTS…]");
  line->footer(kExamples);
  flags = PolicyFlags(*line, invocation.arguments);
  add_run_options(*line, options, request);
  line->add_flag("-d,--detach", request.detach, "start it and leave; see: ringwall attach");
  line->add_flag("--explain", only_explain,
                 "print the plan, each part with its reason, and run nothing");
  line->add_flag("--json", options.json,
                 "messages (and --explain) as JSON, one object a line on stderr");
  return line->parse(split_command(*line, invocation.arguments, options.command));
}

// Without any flag there is nothing to parse, and the start is quicker by that.
bool has_flags(const std::vector<std::string>& arguments) {
  return arguments.empty() || (arguments[0].starts_with('-') && arguments[0] != "--");
}

}  // namespace

int cmd_run(const Invocation& invocation) {
  RunOptions options;
  bool only_explain = false;
  prepare::RunRequest request;
  std::optional<CommandLine> line;
  PolicyFlags flags;
  if (has_flags(invocation.arguments)) {
    if (auto status = parse_flags(invocation, line, flags, options, only_explain, request))
      return *status;
  } else {
    bool is_marked = invocation.arguments[0] == "--";
    options.command.assign(invocation.arguments.begin() + (is_marked ? 1 : 0),
                           invocation.arguments.end());
  }
  if (options.command.empty()) {
    return refuse({"no command to run", 0, "try: ringwall run -- COMMAND, or: ringwall run --help"},
                  options.json);
  }
  if (auto past = past_shim(invocation.arguments, options.command))
    return cmd_run({std::move(*past), invocation.start_area});
  request.command = options.command;
  if (Status loaded = load_whole_policy(options, flags, request, !only_explain); !loaded)
    return refuse(loaded.error(), options.json);
  if (only_explain) return explain(request, options.json);
  // Asked now: with a terminal, the supervisor's stderr is a pipe to the front end.
  bool colours = wants_colours(stderr);
  session::Listeners listeners(2, words_with_advice("ringwall run", options.json, colours));
  int status = session::run(
      request, {.tell = [&](const events::Event& event) { listeners.tell(event); },
                .listeners = &listeners,
                .start_area = invocation.start_area,
                .run_builtin = verify::run_builtin,
                .reviewed =
                    [&, colours](const auto& review, const auto& trees) {
                      listeners.show(review_lines(review, trees, options.json, colours));
                    }});
  listeners.finish(-1, kLastWordsPatience);
  return status;
}

}  // namespace ringwall::cli
