// ringwall ls: the runs that are going on.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <ctime>

#include "base/clock.h"
#include "base/layout.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/run_text.h"
#include "clients/run_control.h"

namespace ringwall::cli {
namespace {

constexpr size_t kColumns = 7;
using Line = std::array<std::string, kColumns>;

void print_table(const std::vector<boost::json::object>& runs) {
  std::vector<Line> lines = {{"NAME", "PID", "AGENT", "STATE", "SINCE", "REFUSED", "WORKSPACE"}};
  for (const boost::json::object& run : runs) {
    lines.push_back({text_of(run, "name"), text_of(run, "pid"), agent_of(run), state_of(run),
                     since_of(run), text_of(run, "refused"),
                     text::quote(text_of(run, "workspace"))});
  }
  size_t widths[kColumns - 1] = {};
  for (const Line& line : lines) {
    for (size_t i = 0; i + 1 < kColumns; i++)
      widths[i] = std::max(widths[i], layout::columns(line[i]) + 2);
  }
  Style style = style_for(stdout);
  for (const Line& line : lines) {
    std::string row = line[kColumns - 1];
    for (size_t i = kColumns - 1; i-- > 0;)
      row = layout::pad(line[i], widths[i]) + row;
    if (&line == &lines.front()) row = std::string(style.bold) + row + std::string(style.plain);
    printf("%s\n", row.c_str());
  }
}

}  // namespace

int cmd_ls(const Invocation& invocation) {
  CommandLine line("Lists the runs that are going on.", "ls", "ringwall ls [--json|--names]");
  line.footer("Examples:\n  ringwall ls\n  ringwall ls --json | jq -r '.[].workspace'");
  bool json = false;
  bool names = false;
  line.add_flag("--json", json, "as a JSON array, with all that a run says of itself");
  line.add_flag("--names", names, "the names alone, one a line");
  if (auto status = line.parse(invocation.arguments)) return *status;
  if (names) {
    auto list = clients::list_run_names();
    for (size_t i = 0; list && i < list->size(); i++)
      printf("%s\n", (*list)[i].c_str());
    if (!list) complain(list.error());
    return list ? 0 : kUsageStatus;
  }
  auto runs = clients::describe_runs();
  if (!runs) {
    complain(runs.error());
    return kUsageStatus;
  }
  if (json) {
    boost::json::array all(runs->begin(), runs->end());
    printf("%s\n", text::harmless_json(boost::json::serialize(all)).c_str());
  } else if (!runs->empty()) {
    print_table(*runs);
  } else if (isatty(STDERR_FILENO) != 0) {
    fprintf(stderr, "no run is going on\n");  // for people only: a script sees an empty list
  }
  return 0;
}

}  // namespace ringwall::cli
