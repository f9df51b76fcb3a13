// ringwall inspect: all that there is to know of one run.
#include <boost/json.hpp>

#include "base/layout.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/run_text.h"
#include "clients/run_control.h"
#include "processes/process_list.h"

namespace ringwall::cli {
namespace {

void print_row(std::string_view name, const std::string& value) {
  if (!value.empty()) printf("%s%s\n", layout::pad(std::string(name), 14).c_str(), value.c_str());
}

void print_list(std::string_view name, const std::vector<std::string>& values) {
  for (const std::string& value : values)
    print_row(&value == &values.front() ? name : "", text::quote(value));
}

void print_waiting(const boost::json::object& run) {
  const boost::json::value* waiting = run.if_contains("waiting");
  if (waiting == nullptr || !waiting->is_array()) return;
  for (const boost::json::value& item : waiting->get_array()) {
    if (!item.is_object()) continue;
    const boost::json::object& request = item.get_object();
    print_row("waits", text_of(request, "id") + ": " +
                           text::quote(text_of(request, "destination")) + " for " +
                           text::quote(text_of(request, "program")) + ", " +
                           text_of(request, "seconds_left") + " s left");
  }
}

int64_t init_of(const boost::json::object& run) {
  const boost::json::value* init = run.if_contains("init");
  return init != nullptr && init->is_int64() ? init->get_int64() : 0;
}

void print_run(const boost::json::object& run) {
  print_row("name", text_of(run, "name"));
  print_row("state", state_of(run));
  print_row("command", command_of(run));
  print_row("workspace", text::quote(text_of(run, "workspace")));
  print_row("since", since_of(run));
  print_row("supervisor", text_of(run, "pid"));
  print_row("home", text_of(run, "home"));
  print_row("record", text_of(run, "record"));
  print_list("profiles", list_of(run, "profiles"));
  print_list("given more", list_of(run, "widenings"));
  print_list("may reach", list_of(run, "allow"));
  print_list("may not", list_of(run, "deny"));
  print_list("connected to", list_of(run, "connections"));
  print_row("refused", text_of(run, "refused"));
  print_waiting(run);
  for (const processes::ListedProcess& process :
       processes::list_processes_by_name(static_cast<pid_t>(init_of(run)))) {
    print_row("process", std::to_string(process.pid) + " " + text::quote(process.name));
  }
}

}  // namespace

int cmd_inspect(const Invocation& invocation) {
  CommandLine line("Shows all that there is to know of a run that goes on.", "inspect",
                   "ringwall inspect [RUN] [--json]");
  line.footer("Examples:\n  ringwall inspect app-1\n  ringwall inspect --json | jq .waiting");
  std::string name;
  bool json = false;
  line.add_option("RUN", name, "a run's name; default: the only one there is");
  line.add_flag("--json", json, "as JSON");
  if (auto status = line.parse(invocation.arguments)) return *status;
  auto chosen = clients::choose_run(name);
  auto run = chosen ? clients::describe_run(*chosen) : std::unexpected(chosen.error());
  if (!run) {
    complain(run.error());
    return kUsageStatus;
  }
  if (!json) {
    print_run(*run);
    return 0;
  }
  boost::json::array processes;
  for (const processes::ListedProcess& process :
       processes::list_processes_by_name(static_cast<pid_t>(init_of(*run))))
    processes.push_back(boost::json::object{{"pid", process.pid}, {"name", process.name}});
  (*run)["processes"] = std::move(processes);
  printf("%s\n", text::harmless_json(boost::json::serialize(*run)).c_str());
  return 0;
}

}  // namespace ringwall::cli
