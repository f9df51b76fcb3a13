// ringwall top: all runs on one screen, as they go on.
#include <unistd.h>

#include <boost/json.hpp>

#include "base/clock.h"
#include "base/layout.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/top_view.h"

namespace ringwall::cli {
namespace {

constexpr const char* kFooter = R"(Keys:
  j k, arrows  select a run, or a request     p  pause the run, or let it go on
  Tab          runs, or requests that wait    x  stop it, killed after 5 seconds
  a s h A      approve: once, for the         K  kill it at once (asks before)
               session, 1 hour, always        ?  help
  r R          reject: once, for the session  q  leave; the runs go on

"Always" writes your policy file. What is pasted is not taken for keys.

Examples:
  ringwall top                              all runs, four times a second
  ringwall top app-1                        with the run app-1 selected
  ringwall top --json | jq '.[] | select(.state == "asks") | .waiting'
  watch ringwall top --once app-1)";

constexpr int64_t kMillisecond = 1'000'000;

// Until all have answered, or had the time to.
void ask_all(TopRuns& runs) {
  constexpr int64_t kPatience = 1200 * kMillisecond;  // then who is silent is known to be deaf
  int64_t until = clock::monotonic() + kPatience;
  runs.ask_all_closely(clock::monotonic());
  while (runs.listen(clock::monotonic()) && clock::monotonic() < until)
    usleep(2000);
}

boost::json::object show_as_json(const clients::RunLink& link, const TopRun& run,
                                 const TopPicture& picture) {
  boost::json::object object = link.description();
  object["name"] = run.name;
  object["agent"] = run.agent;
  object["state"] = run.state;
  object["refused"] = run.refused;
  object["open"] = run.open;
  object["risk_level"] = run.level;
  boost::json::array processes, refusals;
  for (const TopProcess& process : picture.processes)
    processes.push_back(boost::json::object{{"pid", process.pid}, {"name", process.name}});
  for (const TopRefusal& refusal : picture.refusals)
    refusals.push_back(boost::json::object{
        {"time", refusal.time}, {"event", refusal.kind}, {"words", refusal.words}});
  object["processes"] = std::move(processes);
  object["last_refused"] = std::move(refusals);
  return object;
}

TopPicture look_at(TopRuns& runs, const std::string& name, int64_t now) {
  TopPicture picture;
  picture.runs = runs.table(now);
  const clients::RunLink* link = runs.find(name);
  if (link == nullptr) return picture;
  RunWatch watch(runs.state(), name);
  watch.look(link->description(), now);
  watch.fill(*link, picture);
  for (size_t i = 0; i < picture.runs.size(); i++) {
    if (picture.runs[i].name == name) picture.run = i;
  }
  return picture;
}

void print_json(TopRuns& runs) {
  int64_t now = clock::monotonic();
  boost::json::array all;
  for (const TopRun& run : runs.table(now)) {
    all.push_back(show_as_json(*runs.find(run.name), run, look_at(runs, run.name, now)));
  }
  printf("%s\n", text::harmless_json(boost::json::serialize(all)).c_str());
}

void print_once(TopRuns& runs, std::string name) {
  constexpr size_t kNarrow = 80, kWide = 200;
  int64_t now = clock::monotonic();
  if (name.empty() && !runs.table(now).empty()) name = runs.table(now)[0].name;
  size_t columns =
      isatty(STDOUT_FILENO) != 0 ? layout::screen_width(STDOUT_FILENO, kNarrow, kWide) : kWide;
  Style style = style_for(stdout);
  for (const DrawnLine& line : draw_top_once(look_at(runs, name, now), columns)) {
    std::string_view colour = line.look == DrawnLine::Look::bold      ? style.bold
                              : line.look == DrawnLine::Look::dim     ? style.dim
                              : line.look == DrawnLine::Look::asks    ? style.yellow
                              : line.look == DrawnLine::Look::refused ? style.red
                                                                      : std::string_view();
    printf("%s%s%s\n", std::string(colour).c_str(), line.text.c_str(),
           colour.empty() ? "" : std::string(style.plain).c_str());
  }
}

struct TopOptions {
  std::string run;
  bool once = false;
  bool json = false;
};

Result<int> show(const TopOptions& options) {
  TRY_ASSIGN(TopRuns runs, TopRuns::open());
  TRY(runs.list(clock::monotonic()));
  if (!options.run.empty() && runs.find(options.run) == nullptr)
    return fail("no run named " + text::quote(options.run) + " is going on", "see: ringwall ls");
  if (options.once || options.json) {
    ask_all(runs);
    options.json ? print_json(runs) : print_once(runs, options.run);
    return fflush(stdout) == 0 ? 0 : 1;
  }
  TRY_ASSIGN(TopScreen screen, TopScreen::open());
  TopView view(runs, screen, options.run);
  TRY_ASSIGN(int signal, view.show());
  return signal == 0 ? 0 : 128 + signal;
}

}  // namespace

int cmd_top(const Invocation& invocation) {
  CommandLine line("Shows all runs as they go on: who waits for an answer, what was refused.",
                   "top", "ringwall top [RUN] [--once|--json]");
  line.footer(kFooter);
  TopOptions options;
  line.add_option("RUN", options.run, "the run that is selected first; default: the first one");
  line.add_flag("--once", options.once, "one picture, as text; of RUN, all that is known");
  line.add_flag("--json", options.json, "one picture, as a JSON array of all runs");
  if (auto status = line.parse(invocation.arguments)) return *status;
  auto status = show(options);
  if (status) return *status;
  complain(status.error());
  return kUsageStatus;
}

}  // namespace ringwall::cli
