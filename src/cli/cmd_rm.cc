// ringwall rm: removes what a run that has ended left on purpose: its records and its private home.
#include <cstdio>
#include <map>
#include <set>

#include "base/text.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "clients/run_control.h"
#include "events/record_store.h"
#include "state/clean.h"
#include "state/places.h"

namespace ringwall::cli {
namespace {

// What the person has named; nothing: the records, and the home if nobody else has used it.
struct What {
  bool record = false;
  bool home = false;
};

struct Found {
  std::vector<events::RecordEntry> records;
  std::map<std::string, std::set<std::string>> homes;  // other runs whose records name each
};

// The homes that the run's records name. A record that lost its lines names none.
Result<Found> find(const std::string& state, const std::string& run) {
  Found found;
  std::vector<std::pair<std::string, std::string>> others;  // home, run
  TRY_ASSIGN(auto entries, events::list_records(state));
  for (const events::RecordEntry& entry : entries) {
    std::string home = events::read_start(state, entry.id).value_or(events::RecordStart()).home;
    if (entry.run != run && entry.id != run) {
      others.emplace_back(home, entry.run);
      continue;
    }
    if (events::is_going_on(state, entry.id))
      return fail("the run " + text::quote(run) + " is going on",
                  "end it first: ringwall stop " + text::quote(run));
    found.records.push_back(entry);
    if (!home.empty() && state::has_home(state, home)) found.homes[home];
  }
  for (const auto& [home, other] : others) {
    if (found.homes.contains(home)) found.homes[home].insert(other);
  }
  if (found.records.empty()) {
    // Says which names there are.
    TRY(events::find_record(state, run));
  }
  return found;
}

// The home of a workspace is that of all runs there.
std::vector<std::string> choose_homes(const Found& found, const What& what,
                                      const std::string& run) {
  constexpr size_t kMostShown = 3;
  std::vector<std::string> chosen;
  for (const auto& [home, others] : found.homes) {
    if (what.home || (!what.record && others.empty())) {
      chosen.push_back(home);
    } else if (!what.record) {
      std::vector<std::string> names(others.begin(), others.end());
      if (names.size() > kMostShown) {
        names.resize(kMostShown);
        names.emplace_back("…");
      }
      printf(
          "kept the private home %s, which is also that of %s; remove it: ringwall rm --home %s\n",
          text::quote(home).c_str(), text::join(names, ", ").c_str(), text::quote(run).c_str());
    }
  }
  return chosen;
}

Status remove(const state::Caller& caller, const state::Places& places, const std::string& run,
              const What& what) {
  TRY_ASSIGN(Found found, find(places.state, run));
  state::CleanRequest request;
  request.named = choose_homes(found, what, run);
  // Homes of other runs that are going on are left alone, and said to be.
  if (!request.named.empty()) {
    state::CleanReport report =
        state::clean(request, state::find_clean_places(caller, getenv("XDG_RUNTIME_DIR")));
    for (const state::Leftover& leftover : report.leftovers) {
      if (leftover.kind == state::Leftover::Kind::home && leftover.removed)
        printf("removed the private home %s\n", text::quote(leftover.name).c_str());
    }
    if (!report.errors.empty()) return std::unexpected(report.errors[0]);
  }
  if (what.home && !what.record) return {};
  for (const events::RecordEntry& entry : found.records) {
    TRY(events::remove_record(places.state, entry.id));
    printf("removed the record %s\n", text::quote(entry.id).c_str());
  }
  return {};
}

}  // namespace

int cmd_rm(const Invocation& invocation) {
  CommandLine line("Removes a stopped sandbox's private home and its records.", "rm",
                   "ringwall rm RUN… [--record|--home]");
  line.footer(
      "The home is that of all runs in a workspace: it stays while there is a record of\n"
      "another one. The workspace stays as it is, and so do logins that workspaces share.\n\n"
      "Examples:\n  ringwall rm app-1             its records, and the home that only it had\n"
      "  ringwall rm app-1 --record    its records alone\n"
      "  ringwall rm app-1 --home      the home alone, whoever else has used it");
  std::vector<std::string> runs;
  What what;
  line.add_option("RUN", runs, "names of runs that have ended; see: ringwall log --list")
      .required();
  line.add_flag("--record", what.record, "the records; without --home: them alone");
  line.add_flag("--home", what.home, "the home; without --record: it alone");
  if (auto status = line.parse(invocation.arguments)) return *status;
  auto caller = state::read_caller();
  if (!caller) {
    complain(caller.error());
    return kUsageStatus;
  }
  state::Places places = state::find_places(*caller, getenv("XDG_RUNTIME_DIR"));
  int status = 0;
  for (const std::string& run : runs) {
    Status done = remove(*caller, places, run, what);
    if (done) continue;
    complain(done.error());
    status = kUsageStatus;
  }
  return status;
}

}  // namespace ringwall::cli
