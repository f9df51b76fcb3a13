// ringwall mcp: an MCP server behind the walls, with a filter between it and the agent; and what is
// known of the tools of servers.
#include <signal.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <cstdio>

#include "base/clock.h"
#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/mcp_wrap.h"
#include "cli/output.h"
#include "cli/run_line.h"
#include "prepare/grants.h"
#include "session/run.h"
#include "tool_calls/mcp_filter.h"
#include "tool_calls/mcp_inside.h"
#include "tool_calls/mcp_judge.h"
#include "tool_calls/mcp_store.h"
#include "verify/builtin.h"

namespace ringwall::cli {
namespace {

constexpr const char* kExamples = R"(Examples:
  ringwall mcp --name fs -- npx -y @modelcontextprotocol/server-filesystem .
  ringwall mcp --name git --deny-tool mcp__git__git_push -- uvx mcp-server-git
  ringwall mcp --name web --allow example.com -- web-server
  ringwall mcp wrap .mcp.json             print it with each server run so
  ringwall mcp wrap .mcp.json --in-place  the same, written back
  ringwall mcp list                       servers, their tools, and what waits
  ringwall mcp approve fs write_file      show what changed, and accept it
  ringwall mcp forget fs                  all its tools are new again

The server runs in a sandbox of its own, as by `ringwall run`: it has the workspace
and no network but what is granted. Its tools' descriptions are noted when they are
seen first; one that has changed is kept from the agent until you approve it.
Exit status: as of `ringwall run`.)";

struct McpOptions {
  RunOptions run;
  bool sampling = false;
  bool elicitation = false;
};

int refuse(const Error& error) {
  complain(error);
  return kUsageStatus;
}

// Launchers whose first word that is no flag names the server.
bool is_launcher(std::string_view program) {
  for (std::string_view name : {"npx", "uvx", "bunx", "node", "python3", "python", "deno", "bun"}) {
    if (program == name) return true;
  }
  return false;
}

// "@modelcontextprotocol/server-github@1.2" -> "server-github"
std::string name_from(const std::vector<std::string>& command) {
  std::string word = command[0];
  if (is_launcher(path::basename(word))) {
    for (size_t i = 1; i < command.size(); i++) {
      if (command[i].starts_with('-') || command[i] == "run") continue;
      word = command[i];
      break;
    }
  }
  std::string name;
  std::string_view last = path::basename(word);
  last = last.substr(0, last.find_first_of(".@", 1));
  for (char c : last) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                 c == '-' || c == '_';
    name += plain ? c : '_';
    if (name.size() == 48) break;
  }
  return name;
}

Result<mcp::FilterSettings> make_settings(const McpOptions& options, prepare::RunRequest& request) {
  mcp::FilterSettings settings;
  std::string& run_name = request.policy.run.name.value;
  settings.server = run_name.empty() ? name_from(request.command) : run_name;
  TRY(tool_calls::check_server_name(settings.server));
  // Several agents may have the same server at once.
  run_name = "mcp-" + settings.server.substr(0, 40) + "-" + std::to_string(getpid());
  settings.sampling = options.sampling;
  settings.elicitation = options.elicitation;
  settings.now = clock::wall_seconds();
  settings.workspace = request.policy.files.workspace.value;
  if (settings.workspace.empty()) {
    TRY_ASSIGN(settings.workspace, prepare::read_working_folder());
  }
  TRY_ASSIGN(settings.pins, tool_calls::read_pins(request.places, settings.server));
  TRY_ASSIGN(settings.judge, tool_calls::make_mcp_judge(request.policy.tools,
                                                        {request.caller.home, settings.workspace}));
  return settings;
}

int run_server(const McpOptions& options, prepare::RunRequest& request,
               const Invocation& invocation) {
  auto settings = make_settings(options, request);
  if (!settings) return refuse(settings.error());
  auto notes = tool_calls::open_pin_notes(request.places, settings->server);
  if (!notes) return refuse(notes.error());
  auto filter =
      tool_calls::McpFilter::start(std::move(*settings), std::move(*notes), invocation.start_area);
  if (!filter) return refuse(filter.error());
  session::Listeners listeners(filter->person(), [&](const events::Event& event) {
    return line_of(event, options.run.json, false);
  });
  auto tell = [&](const events::Event& event) { listeners.tell(event); };
  int status = session::run(request, {.tell = tell,
                                      .listeners = &listeners,
                                      .start_area = invocation.start_area,
                                      .run_builtin = verify::run_builtin,
                                      .onlooker = filter->onlooker(request.policy.run.name.value)});
  listeners.finish(-1, kLastWordsPatience);
  filter->finish();
  return status;
}

// In a run there is no room for another sandbox: the supervisor starts the server outside, if the
// policy names it, by the command that stands there.
int serve_inside(const PolicyFlags& flags, const std::vector<std::string>& command) {
  auto settings = flags.settings("/", "/");
  if (!settings) return refuse(settings.error());
  std::string name = command.empty() ? "" : name_from(command);
  for (const policy::Setting& setting : *settings) {
    if (setting.field->key == "run.name") name = policy::show_value(*setting.field, setting.value);
  }
  if (Status plain = tool_calls::check_server_name(name); !plain) return refuse(plain.error());
  Status done = tool_calls::use_server_outside(name);
  return done ? 0 : refuse(done.error());
}

int serve(const Invocation& invocation) {
  CommandLine line("Runs an MCP server behind the walls, and filters what it and the agent say.",
                   "mcp",
                   "ringwall mcp [OPTIONS] -- SERVER [ARGUMENTS…]\n"
                   "       ringwall mcp wrap FILE [--in-place] | list | approve | forget");
  line.footer(kExamples);
  McpOptions options;
  prepare::RunRequest request;
  PolicyFlags flags(line, invocation.arguments);
  line.add_option("--policy,--rules", options.run.policy_file,
                  "a policy file, such as one with [tools]; flags come on top of it")
      .type_name("FILE");
  line.add_flag("--sampling", options.sampling, "let the server ask the agent's model");
  line.add_flag("--elicitation", options.elicitation,
                "let the server ask you, by the agent; never for pages to open");
  line.add_flag("--json", options.run.json, "messages as JSON, one object a line on stderr");
  std::vector<std::string> own = split_command(line, invocation.arguments, request.command);
  if (auto status = line.parse(own)) return *status;
  if (tool_calls::can_ask_for_servers()) return serve_inside(flags, request.command);
  if (request.command.empty()) {
    return refuse({"no server to run", 0,
                   "try: ringwall mcp --name NAME -- SERVER, or: ringwall mcp --help"});
  }
  if (Status loaded = load_whole_policy(options.run, flags, request, false); !loaded)
    return refuse(loaded.error());
  return run_server(options, request, invocation);
}

Result<state::Places> find_own_places() {
  if (getenv("RINGWALL_RUN") != nullptr)
    return fail("this is for a person, outside of every run", "ask the person who started it");
  TRY_ASSIGN(state::Caller caller, state::read_caller());
  return state::find_places(caller, getenv("XDG_RUNTIME_DIR"));
}

Result<int> list(const std::vector<std::string>& arguments) {
  CommandLine line("Lists what is known of the tools of MCP servers.", "mcp list",
                   "ringwall mcp list [--json]");
  bool json = false;
  line.add_flag("--json", json, "as a JSON array");
  if (auto status = line.parse(arguments)) return *status;
  TRY_ASSIGN(state::Places places, find_own_places());
  TRY_ASSIGN(std::vector<std::string> servers, tool_calls::list_servers(places));
  boost::json::array rows;
  auto add = [&](const std::string& server, const mcp::PinNote& note, const char* state) {
    rows.push_back({{"server", server},
                    {"tool", note.definition.tool},
                    {"state", state},
                    {"sha256", note.definition.digest},
                    {"since", note.since}});
    if (!json)
      printf("%-16s %-32s %.12s  %s\n", server.c_str(), text::quote(note.definition.tool).c_str(),
             note.definition.digest.c_str(), state);
  };
  for (const std::string& server : servers) {
    TRY_ASSIGN(mcp::Pins pins, tool_calls::read_pins(places, server));
    for (const auto& [tool, note] : pins.pinned())
      add(server, note, "pinned");
    for (const auto& [tool, note] : pins.waiting())
      add(server, note,
          note.kind == mcp::PinNote::Kind::changed ? "changed, waits for you"
                                                   : "held, waits for you");
  }
  if (json) printf("%s\n", text::harmless_json(boost::json::serialize(rows)).c_str());
  return 0;
}

Result<int> approve(const std::vector<std::string>& arguments) {
  CommandLine line("Shows what changed in the description of a tool, and accepts it.",
                   "mcp approve", "ringwall mcp approve NAME TOOL [--yes]");
  std::string server, tool;
  bool yes = false;
  line.add_option("NAME", server, "the server").required();
  line.add_option("TOOL", tool, "the tool; (instructions) for what the server says of itself")
      .required();
  line.add_flag("--yes", yes, "do not ask");
  if (auto status = line.parse(arguments)) return *status;
  TRY(tool_calls::check_server_name(server));
  TRY_ASSIGN(state::Places places, find_own_places());
  TRY_ASSIGN(mcp::Pins pins, tool_calls::read_pins(places, server));
  auto waits = pins.waiting().find(tool);
  if (waits == pins.waiting().end())
    return fail("no tool " + text::quote(tool) + " of " + text::quote(server) + " waits for you",
                "see: ringwall mcp list");
  auto pinned = pins.pinned().find(tool);
  std::string before = pinned == pins.pinned().end() ? "{}" : pinned->second.definition.text;
  if (!waits->second.why.empty()) printf("held: %s\n", text::escape(waits->second.why).c_str());
  for (const std::string& shown : mcp::show_difference(before, waits->second.definition.text))
    printf("%s\n", shown.c_str());
  if (!yes) {
    if (isatty(STDIN_FILENO) == 0)
      return fail(
          "there is no terminal to ask on",
          "if you mean it: ringwall mcp approve " + server + " " + text::quote(tool) + " --yes");
    printf("Let the agent see it? [y/N] ");
    fflush(stdout);
    char answer[16] = {};
    if (fgets(answer, sizeof answer, stdin) == nullptr || (answer[0] != 'y' && answer[0] != 'Y')) {
      printf("It stays as it is.\n");
      return 1;
    }
  }
  TRY(tool_calls::approve_tool(places, server, tool, waits->second.definition.digest));
  printf("Approved; it counts from the server's next start.\n");
  return 0;
}

Result<int> forget(const std::vector<std::string>& arguments) {
  CommandLine line("Forgets the tools of a server: all of them are new again.", "mcp forget",
                   "ringwall mcp forget NAME");
  std::string server;
  line.add_option("NAME", server, "the server").required();
  if (auto status = line.parse(arguments)) return *status;
  TRY(tool_calls::check_server_name(server));
  TRY_ASSIGN(state::Places places, find_own_places());
  TRY_ASSIGN(bool was_there, tool_calls::forget_server(places, server));
  if (!was_there)
    return fail("nothing is known of " + text::quote(server), "see: ringwall mcp list");
  printf("Forgotten.\n");
  return 0;
}

}  // namespace

int cmd_mcp(const Invocation& invocation) {
  using Act = Result<int> (*)(const std::vector<std::string>&);
  constexpr std::pair<std::string_view, Act> kActs[] = {
      {"list", list}, {"approve", approve}, {"forget", forget}, {"wrap", wrap_mcp_config}};
  for (const auto& [name, act] : kActs) {
    if (invocation.arguments.empty() || invocation.arguments[0] != name) continue;
    auto status = act({invocation.arguments.begin() + 1, invocation.arguments.end()});
    return status ? *status : refuse(status.error());
  }
  return serve(invocation);
}

}  // namespace ringwall::cli
