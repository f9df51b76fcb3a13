// ringwall runs: the runs that are going on.
#include <boost/json.hpp>

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
    printf("%s\n", boost::json::serialize(*runs).c_str());
    return 0;
  }
  for (const auto& run : *runs) {
    if (!run.is_object()) continue;
    const auto& object = run.get_object();
    std::string command;
    if (const auto* words = object.if_contains("command"); words != nullptr && words->is_array()) {
      for (const auto& word : words->get_array()) {
        if (word.is_string())
          command += (command.empty() ? "" : " ") + text::quote(std::string(word.get_string()));
      }
    }
    printf("%-24s %-8s %-32s %s\n", text_of(object, "name").c_str(), text_of(object, "pid").c_str(),
           text::quote(text_of(object, "workspace")).c_str(), command.c_str());
  }
  return 0;
}

}  // namespace ringwall::cli
