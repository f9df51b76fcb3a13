// ringwall installed: which agents are walled by their plain name, and by which ways they are not.
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cstdio>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/install_scope.h"
#include "cli/local_time.h"
#include "cli/options.h"
#include "cli/output.h"
#include "install/look.h"
#include "install/off_switch.h"
#include "install/ways_around.h"
#include "prepare/grants.h"

namespace ringwall::cli {
namespace {

namespace json = boost::json;
using install::WayAround;

constexpr const char* kExamples = R"(Examples:
  ringwall installed            all that is installed, and ways around it
  ringwall installed claude
  ringwall installed --json     for scripts
  ringwall installed --system   what was installed for everybody

Exit status: 0 if every one is walled and no way around was found, 1 if not (or if
nothing is installed).)";

// One agent in one scope.
struct State {
  const install::Agent* agent;
  bool system = false;
  std::vector<const install::Change*> changes;
  std::vector<WayAround> ways;
  std::optional<install::Off> off;
  std::vector<install::Off> earlier;
};

struct InstalledOptions {
  std::vector<std::string> names;
  bool system = false;
  bool json = false;
};

// The system's can be looked at by everybody, with what lies in the own home.
install::Scope system_scope(const state::Caller& caller) {
  return {.system = true, .uid = caller.uid, .home = caller.home, .folder = install::kSystemFolder};
}

std::vector<State> states_of(const InstallPlace& place, const install::Scope& scope,
                             const install::Manifest& manifest, const std::string& folder,
                             const std::vector<std::string>& names) {
  std::vector<State> states;
  auto offs = install::read_offs(place.places);
  for (const std::string& name : manifest.agents()) {
    const install::Agent* agent = install::agent_by_name(name);
    if (agent == nullptr) continue;
    if (!names.empty() && std::ranges::find(names, name) == names.end()) continue;
    State state{.agent = agent, .system = scope.system};
    for (const install::Change& change : manifest.changes) {
      if (change.agent == name) state.changes.push_back(&change);
    }
    state.ways = install::find_ways_around(scope, *agent, manifest, folder);
    state.off = install::off_in_force(place.caller, place.places, name);
    for (const install::Off& off : offs ? *offs : std::vector<install::Off>{}) {
      if (off.agent == name) state.earlier.push_back(off);
    }
    states.push_back(std::move(state));
  }
  return states;
}

bool is_walled(const State& state) { return state.ways.empty() && !state.off; }

void print_off(const State& state) {
  if (state.off)
    printf("  OFF until %s: %s (%s)\n", local_time(state.off->until, "%F %T").c_str(),
           text::quote(state.off->reason).c_str(), text::escape(state.off->by).c_str());
  size_t shown = 0;
  for (auto off = state.earlier.rbegin(); off != state.earlier.rend() && shown < 3; ++off) {
    if (state.off && off->from == state.off->from) continue;
    printf("  was off %s to %s: %s\n", local_time(off->from, "%F %T").c_str(),
           local_time(off->ended != 0 ? off->ended : off->until, "%T").c_str(),
           text::quote(off->reason).c_str());
    shown++;
  }
}

void print_state(const State& state) {
  Style style = style_for(stdout);
  bool walled = is_walled(state);
  std::string_view colour = walled ? style.green : style.red;
  printf("%.*s%s%.*s%s  %s\n", static_cast<int>(colour.size()), colour.data(),
         std::string(state.agent->name).c_str(), static_cast<int>(style.plain.size()),
         style.plain.data(), state.system ? " (for everybody)" : "",
         walled      ? "walled"
         : state.off ? "OFF"
                     : "walled, with ways around");
  for (const install::Change* change : state.changes)
    printf("  %-9s %s%s\n", change->kind == install::Change::Kind::shim ? "shim" : "settings",
           text::quote(change->path).c_str(), file::exists(change->path) ? "" : " (gone since)");
  print_off(state);
  for (const WayAround& way : state.ways) {
    printf("  around    %s: %s\n", text::quote(way.where).c_str(), way.what.c_str());
    printf("            → %s\n", way.mend.c_str());
  }
  if (!state.system && !state.agent->weakness.empty())
    printf("  note      %s\n", std::string(state.agent->weakness).c_str());
  if (!state.system)
    printf(
        "  note      not for cron or services with a PATH of their own, nor for other users: sudo "
        "ringwall install --system %s\n",
        std::string(state.agent->name).c_str());
}

json::object state_object(const State& state) {
  json::array paths, ways, offs;
  for (const install::Change* change : state.changes) {
    if (file::exists(change->path)) paths.emplace_back(text::escape(change->path));
  }
  for (const WayAround& way : state.ways)
    ways.push_back(json::object{{"kind", install::name_of(way.kind)},
                                {"where", text::escape(way.where)},
                                {"what", way.what},
                                {"mend", way.mend}});
  for (const install::Off& off : state.earlier)
    offs.push_back(json::object{{"from", off.from},
                                {"until", off.until},
                                {"ended", off.ended},
                                {"reason", off.reason},
                                {"by", off.by}});
  return {{"agent", state.agent->name}, {"system", state.system},
          {"walled", is_walled(state)}, {"off", state.off.has_value()},
          {"paths", std::move(paths)},  {"ways_around", std::move(ways)},
          {"offs", std::move(offs)}};
}

void print_all(const std::vector<State>& states, bool as_json) {
  if (as_json) {
    json::array list;
    for (const State& state : states)
      list.push_back(state_object(state));
    printf("%s\n", text::harmless_json(json::serialize(json::object{{"agents", list}})).c_str());
    return;
  }
  for (const State& state : states)
    print_state(state);
  if (states.empty()) printf("Nothing is installed; try: ringwall install claude\n");
}

Result<int> show_installed(const InstalledOptions& options) {
  TRY_ASSIGN(auto agents, agents_named(options.names));
  TRY_ASSIGN(InstallPlace place, open_install_place(false));
  std::string folder = prepare::read_working_folder().value_or("");
  TRY_ASSIGN(install::Manifest system, install::read_manifest(system_scope(place.caller)));
  std::vector<State> states;
  if (!options.system)
    states = states_of(place, place.scope, place.manifest, folder, options.names);
  for (State& state : states_of(place, system_scope(place.caller), system, folder, options.names))
    states.push_back(std::move(state));
  print_all(states, options.json);
  bool good = !states.empty() && std::ranges::all_of(states, is_walled);
  for (const std::string& name : options.names) {
    bool found =
        std::ranges::any_of(states, [&](const State& state) { return state.agent->name == name; });
    good = good && found;
  }
  return good ? 0 : 1;
}

}  // namespace

int cmd_installed(const Invocation& invocation) {
  CommandLine line("Shows which agents are walled by their plain name, and ways around it.",
                   "installed", "ringwall installed [--system] [--json] [AGENT…]");
  line.footer(kExamples);
  InstalledOptions options;
  line.add_option("AGENT", options.names, "those to look at; default: all");
  line.add_flag("--system", options.system, "only what was installed for everybody");
  line.add_flag("--json", options.json, "as a JSON object");
  if (auto status = line.parse(invocation.arguments)) return *status;
  auto done = show_installed(options);
  if (done) return *done;
  complain(done.error());
  return kUsageStatus;
}

}  // namespace ringwall::cli
