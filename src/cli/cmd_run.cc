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
#include "verify/builtin.h"

namespace ringwall::cli {
namespace {

constexpr const char* kExamples = R"(
Examples:
  ringwall run claude                       an agent, in the repository around the current folder
  ringwall run -- npm test                  any command; its own flags after --
  ringwall run -w ~/src/app --ro ~/data sh  another workspace, and a folder to read
  ringwall run --cache npm -- npm ci        with the packages that are already on this machine
  ringwall run --explain claude             what would be there and why, without running anything

Exit status: the command's own; 126 or 127 if it cannot be run, 128 + signal if it was killed,
125 if Ringwall refuses.)";

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
                      word.find('=') == std::string::npos;
    at += takes_next ? 2 : 1;
  }
  arguments.resize(std::min(at, arguments.size()));
  return arguments;
}

Status load_policy(const RunOptions& options, const PolicyFlags& flags,
                   session::RunRequest& request) {
  TRY_ASSIGN(std::string folder, session::read_working_folder());
  TRY_ASSIGN(session::Caller caller, session::read_caller());
  if (!options.policy_file.empty()) {
    request.policy_file = path::absolute(options.policy_file, folder);
    TRY_ASSIGN(std::string text, policy::read_policy_file(request.policy_file, caller.uid));
    auto diagnostics = policy::load_text(request.policy, text, request.policy_file, caller.home);
    for (const policy::Diagnostic& d : diagnostics)
      complain(d.place + ": " + d.what, d.hint);
    if (!diagnostics.empty())
      return fail("the policy has " + std::to_string(diagnostics.size()) + " mistakes");
  }
  return flags.apply(request.policy, folder, caller.home);
}

int explain(session::RunRequest& request, bool json) {
  request.register_it = false;
  session::Preparation prepared{.request = request};
  if (Status done = session::prepare(prepared); !done) {
    complain(done.error());
    return kUsageStatus;
  }
  print_explanation(prepared, json);
  return 0;
}

}  // namespace

int cmd_run(const Invocation& invocation) {
  CLI::App app("Runs a command behind the walls.", "run");
  set_usage(app, "ringwall run [OPTIONS] [--] COMMAND [ARGUMENTS…]");
  app.footer(kExamples);
  RunOptions options;
  PolicyFlags flags(app);
  app.add_option("--policy", options.policy_file, "a policy file; flags come on top of it")
      ->type_name("FILE");
  app.add_flag("--explain", options.explain,
               "print the plan, each part with its reason, and run nothing");
  app.add_flag("--json", options.json,
               "messages (and --explain) as JSON, one object a line on stderr");
  std::vector<std::string> own = split_command(app, invocation.arguments, options.command);
  if (auto status = parse(app, own)) return *status;
  if (options.command.empty()) {
    complain("no command to run", "try: ringwall run -- COMMAND, or: ringwall run --help");
    return kUsageStatus;
  }
  session::RunRequest request;
  request.command = options.command;
  if (Status loaded = load_policy(options, flags, request); !loaded) {
    tell(events::Refused{"", loaded.error().text(), loaded.error().hint}, options.json);
    return kUsageStatus;
  }
  if (options.explain) return explain(request, options.json);
  return session::run(request,
                      {.tell = [&](const events::Event& event) { tell(event, options.json); },
                       .start_area = invocation.start_area,
                       .run_builtin = verify::run_builtin});
}

}  // namespace ringwall::cli
