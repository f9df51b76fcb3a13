// ringwall run: a command behind the walls.
#include <unistd.h>

#include "base/path.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/explain.h"
#include "cli/options.h"
#include "cli/output.h"
#include "policy/load.h"
#include "session/grants.h"
#include "session/run.h"
#include "session/start_failure.h"
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

struct RunOptions {
  std::string policy_file;
  bool explain = false;
  bool json = false;
  std::vector<std::string> command;
};

// Everything from the first word that is no flag on is the command: its flags are not ours.
std::vector<std::string> split_command(const CLI::App& app, std::vector<std::string> arguments,
                                       std::vector<std::string>& command) {
  size_t at = 0;
  while (at < arguments.size()) {
    const std::string& word = arguments[at];
    if (word == "--") {
      command.assign(arguments.begin() + static_cast<ptrdiff_t>(at) + 1, arguments.end());
      break;
    }
    if (!word.starts_with('-') || word == "-") {
      command.assign(arguments.begin() + static_cast<ptrdiff_t>(at), arguments.end());
      break;
    }
    const CLI::Option* option = app.get_option_no_throw(word.substr(0, word.find('=')));
    bool takes_next = option != nullptr && option->get_items_expected_max() > 0 &&
                      word.find('=') == std::string::npos && at + 1 < arguments.size() &&
                      arguments[at + 1] != "--";
    at += takes_next ? 2 : 1;
  }
  arguments.resize(std::min(at, arguments.size()));
  return arguments;
}

Status load_policy(const RunOptions& options, const PolicyFlags& flags,
                   session::RunRequest& request) {
  TRY_ASSIGN(std::string folder, session::read_working_folder());
  TRY_ASSIGN(request.caller, session::read_caller());
  const session::Caller& caller = request.caller;
  if (!options.policy_file.empty()) {
    request.policy_file = path::absolute(options.policy_file, folder);
    TRY_ASSIGN(std::string text, policy::read_policy_file(request.policy_file, caller.uid));
    auto diagnostics = policy::load_text(request.policy, text, request.policy_file, caller.home);
    if (diagnostics.size() == 1)
      return fail(diagnostics[0].place + ": " + diagnostics[0].what, diagnostics[0].hint);
    for (const policy::Diagnostic& d : diagnostics)
      tell(events::Refused{"", d.place + ": " + d.what, d.hint}, options.json);
    if (!diagnostics.empty())
      return fail("the policy has " + std::to_string(diagnostics.size()) + " mistakes");
  }
  return flags.apply(request.policy, folder, caller.home);
}

int refuse(const Error& error, bool json) {
  tell(events::Refused{"", error.text(), error.hint}, json);
  return kUsageStatus;
}

int explain(session::RunRequest& request, bool json) {
  request.register_it = false;
  session::Preparation prepared{.request = request};
  if (Status done = session::prepare(prepared); !done) return refuse(done.error(), json);
  auto failure = session::foresee_start_failure(prepared);
  print_explanation(prepared, failure ? failure->event.what : "", json);
  return failure ? failure->exit_status : 0;
}

// Every event of the run, with what only the command line can add.
void tell_with_advice(const events::Event& event, bool json, bool colours) {
  const auto* failure = std::get_if<events::CannotRun>(&event);
  tell(failure != nullptr ? session::advise(*failure, "ringwall run") : event, json, colours);
}

}  // namespace

int cmd_run(const Invocation& invocation) {
  CLI::App app("Runs a command behind the walls.", "run");
  set_usage(app, "ringwall run [OPTIONS] [--] COMMAND [ARGUMENTS…]");
  app.footer(kExamples);
  RunOptions options;
  session::RunRequest request;
  PolicyFlags flags(app, invocation.arguments);
  app.add_option("--policy", options.policy_file, "a policy file; flags come on top of it")
      ->type_name("FILE");
  app.add_flag("-d,--detach", request.detach, "start it and leave; see: ringwall attach");
  app.add_option("--cast", request.recording, "record its terminal; play it: ringwall replay FILE")
      ->type_name("FILE");
  app.add_flag("--explain", options.explain,
               "print the plan, each part with its reason, and run nothing");
  app.add_flag("--json", options.json,
               "messages (and --explain) as JSON, one object a line on stderr");
  std::vector<std::string> own = split_command(app, invocation.arguments, options.command);
  if (auto status = parse(app, own)) return *status;
  if (options.command.empty()) {
    return refuse({"no command to run", 0, "try: ringwall run -- COMMAND, or: ringwall run --help"},
                  options.json);
  }
  request.command = options.command;
  if (Status loaded = load_policy(options, flags, request); !loaded)
    return refuse(loaded.error(), options.json);
  if (options.explain) return explain(request, options.json);
  // Asked now: with a terminal, the supervisor's stderr is a pipe to the front end.
  bool colours = wants_colours(stderr);
  return session::run(request, {.tell =
                                    [&, colours](const events::Event& event) {
                                      tell_with_advice(event, options.json, colours);
                                    },
                                .start_area = invocation.start_area,
                                .run_builtin = verify::run_builtin});
}

}  // namespace ringwall::cli
