// ringwall runs: the runs that are going on.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>

#include "base/layout.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "session/control.h"
#include "session/places.h"
#include "session/registry.h"

namespace ringwall::cli {
namespace {

Result<boost::json::array> describe_all() {
  TRY_ASSIGN(session::Caller caller, session::read_caller());
  session::Places places = session::find_places(caller, getenv("XDG_RUNTIME_DIR"));
  TRY_ASSIGN(auto names, session::list_runs(places.runs));
  boost::json::array runs;
  for (const std::string& name : names) {
    auto folder = session::open_run(places.runs, name);
    if (!folder) continue;  // ended since it was listed
    auto connection = session::connect_control(folder->get());
    if (!connection) continue;
    auto description = session::ask_description(connection->get());
    if (!description) continue;
    boost::system::error_code error;
    auto value = boost::json::parse(*description, error);
    if (!error) runs.push_back(std::move(value));
  }
  return runs;
}

std::string text_of(const boost::json::object& run, const char* key) {
  const boost::json::value* value = run.if_contains(key);
  if (value == nullptr) return "";
  return value->is_string() ? std::string(value->get_string()) : boost::json::serialize(*value);
}

std::string command_of(const boost::json::object& run) {
  std::vector<std::string> quoted;
  const boost::json::value* words = run.if_contains("command");
  if (words == nullptr || !words->is_array()) return "";
  for (const auto& word : words->get_array()) {
    if (word.is_string()) quoted.push_back(text::quote(std::string(word.get_string())));
  }
  return text::join(quoted, " ");
}

// What a person wants to know of it first.
std::string state_of(const boost::json::object& run) {
  if (text_of(run, "paused") == "true") return "paused";
  return text_of(run, "terminal") == "detached" ? "detached" : "running";
}

using Line = std::array<std::string, 5>;

void print_table(const boost::json::array& runs) {
  std::vector<Line> lines = {{"NAME", "PID", "STATE", "WORKSPACE", "COMMAND"}};
  for (const auto& run : runs) {
    if (!run.is_object()) continue;
    const auto& object = run.get_object();
    lines.push_back({text_of(object, "name"), text_of(object, "pid"), state_of(object),
                     text::quote(text_of(object, "workspace")), command_of(object)});
  }
  if (lines.size() == 1) {
    // For people only: a script sees an empty list.
    if (isatty(STDERR_FILENO) != 0) fprintf(stderr, "no run is going on\n");
    return;
  }
  size_t widths[4] = {};
  for (const Line& line : lines) {
    for (size_t i = 0; i < 4; i++)
      widths[i] = std::max(widths[i], layout::columns(line[i]) + 2);
  }
  Style style = style_for(stdout);
  for (const Line& line : lines) {
    std::string row = line[4];
    for (size_t i = 4; i-- > 0;)
      row = layout::pad(line[i], widths[i]) + row;
    if (&line == &lines.front()) row = std::string(style.bold) + row + std::string(style.plain);
    printf("%s\n", row.c_str());
  }
}

}  // namespace

int cmd_runs(const Invocation& invocation) {
  CLI::App app("Lists the runs that are going on.", "runs");
  set_usage(app, "ringwall runs [--json]");
  bool json = false;
  app.add_flag("--json", json, "as a JSON array");
  if (auto status = parse(app, invocation.arguments)) return *status;
  auto runs = describe_all();
  if (!runs) {
    complain(runs.error());
    return kUsageStatus;
  }
  if (json) {
    printf("%s\n", text::harmless_json(boost::json::serialize(*runs)).c_str());
    return 0;
  }
  print_table(*runs);
  return 0;
}

}  // namespace ringwall::cli
