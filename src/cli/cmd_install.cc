// ringwall install: the plain name of an agent runs behind the walls from now on.
#include <grp.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <cstdio>

#include "base/fd.h"
#include "base/file.h"
#include "base/strict_json.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/install_scope.h"
#include "cli/options.h"
#include "cli/output.h"
#include "install/apply.h"
#include "install/look.h"
#include "verify/doctor.h"

namespace ringwall::cli {
namespace {

namespace json = boost::json;
using install::Change;

constexpr const char* kExamples = R"(Examples:
  ringwall install claude                    plain `claude` is walled, for you
  ringwall install claude codex gemini
  ringwall install claude --dry-run          what would be changed
  sudo ringwall install --system claude      for everybody, with managed settings
  ringwall installed                         what is walled, and ways around it
  ringwall uninstall claude                  everything as it was

Nothing is changed on a host that cannot build the walls (see: ringwall doctor).
Again after a new Node version, or whenever `ringwall installed` says so.
More: docs/install.md)";

struct InstallOptions {
  std::vector<std::string> names;
  bool system = false;
  bool dry_run = false;
  bool json = false;
};

// Root can build walls that others cannot.
constexpr uid_t kNobody = 65534;

std::vector<verify::HostRow> missing_for_others() {
  std::vector<verify::HostRow> missing;
  int ends[2];
  if (pipe(ends) < 0)
    return {{verify::Part::wall, "a trial as nobody", true, false, "no pipe", ""}};
  Fd in(ends[0]), out(ends[1]);
  pid_t child = fork();
  if (child == 0) {
    bool dropped = setgroups(0, nullptr) == 0 && setresgid(kNobody, kNobody, kNobody) == 0 &&
                   setresuid(kNobody, kNobody, kNobody) == 0 && chdir("/") == 0 &&
                   prctl(PR_SET_DUMPABLE, 1) == 0;  // or its files in /proc stay root's
    json::array rows;
    if (dropped) {
      for (const verify::HostRow& row : verify::examine_walls(host::read_surroundings())) {
        if (row.required && !row.there) rows.push_back(json::array{row.name, row.seen, row.mend});
      }
    }
    (void)file::write_all(out.get(), dropped ? json::serialize(rows) : "");
    _exit(0);
  }
  out.close();
  auto said = file::read_all(in.get());
  while (child > 0 && waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  auto rows = said ? strict_json::parse(*said) : Result<json::value>(std::unexpected(said.error()));
  if (!rows || !rows->is_array())
    return {{verify::Part::wall, "a trial as nobody", true, false, "it failed", ""}};
  for (const json::value& row : rows->get_array()) {
    const json::array& words = row.as_array();
    missing.push_back({verify::Part::wall, std::string(words[0].as_string()), true, false,
                       std::string(words[1].as_string()), std::string(words[2].as_string())});
  }
  return missing;
}

// What this host lacks, in doctor's words. For everybody it must do without root's rights.
Status check_host(bool system) {
  std::vector<verify::HostRow> missing;
  if (system) {
    missing = missing_for_others();
  } else {
    for (verify::HostRow& row : verify::examine_host().rows) {
      if (row.required && !row.there) missing.push_back(std::move(row));
    }
  }
  if (missing.empty()) return {};
  std::string what = "nothing was changed: a required wall cannot be built here";
  std::string hint;
  for (const verify::HostRow& row : missing) {
    bool follows = row.seen.starts_with("needs ");  // from another that is missing
    if (!follows) what += "\n  " + row.name + ": " + row.seen;
    if (hint.empty()) hint = row.mend;
  }
  return fail(what, hint.empty() ? "see: ringwall doctor" : hint);
}

std::string words_for(const Change& change) {
  switch (change.kind) {
    case Change::Kind::shim:
      if (change.diverted) return "diverted, as a package owns it; a shim in its place";
      return change.before.is_absent() ? "a shim" : "a shim in its place";
    case Change::Kind::settings:
      return "refuses to work unwalled; escape hatches shut";
    case Change::Kind::lines:
      if (change.path.ends_with("/ringwall-wrap")) return "a process wrapper, for editors";
      return change.agent.empty() ? "shims first on PATH" : "refuses to work unwalled";
  }
  return "";
}

void print_for_programs(const install::Plan& plan, bool dry_run) {
  json::array changes, notes;
  for (const Change& change : plan.changes)
    changes.push_back(json::object{
        {"agent", change.agent}, {"path", text::escape(change.path)}, {"what", words_for(change)}});
  for (const std::string& note : plan.notes)
    notes.emplace_back(note);
  json::object out{
      {"changed", !dry_run}, {"changes", std::move(changes)}, {"notes", std::move(notes)}};
  printf("%s\n", text::harmless_json(json::serialize(out)).c_str());
}

void print_for_people(const install::Plan& plan, const InstallOptions& options) {
  for (const Change& change : plan.changes)
    printf("  %s: %s\n", text::quote(change.path).c_str(), words_for(change).c_str());
  for (const std::string& note : plan.notes)
    printf("note: %s\n", note.c_str());
  if (options.dry_run) {
    printf("Nothing was changed (--dry-run).\n");
    return;
  }
  for (const std::string& name : options.names)
    printf("Plain `%s` runs behind the walls now%s.\n", name.c_str(),
           options.system ? ", for everybody" : "; in terminals that are open: exec $SHELL");
  if (options.system) return;
  printf(
      "Not covered by an installation for one person: cron and services with a PATH of their own,\n"
      "agents that editors bring along. For those: sudo ringwall install --system %s\n",
      text::join(options.names, " ").c_str());
}

Result<int> install_agents(const InstallOptions& options) {
  TRY(refuse_inside_a_run("install"));
  if (options.names.empty())
    return fail("which agent?",
                "ringwall install claude; known are: " + text::join(install::agent_names(), ", "));
  TRY_ASSIGN(auto agents, agents_named(options.names));
  TRY(check_host(options.system));
  TRY_ASSIGN(LockedInstallPlace locked, lock_install_place(options.system));
  InstallPlace& place = locked.place;
  TRY_ASSIGN(install::Seen seen, install::look_around(place.scope, agents));
  TRY_ASSIGN(install::Plan plan, install::plan_install(place.scope, seen, place.manifest));
  if (!options.dry_run && !plan.changes.empty())
    TRY(install::apply(place.scope, plan, place.manifest));
  if (options.json)
    print_for_programs(plan, options.dry_run);
  else
    print_for_people(plan, options);
  return 0;
}

}  // namespace

int cmd_install(const Invocation& invocation) {
  CommandLine line("Lets the plain name of an agent run behind the walls.", "install",
                   "ringwall install [--system] [--dry-run] [--json] AGENT…");
  line.footer(kExamples);
  InstallOptions options;
  line.add_option("AGENT", options.names, text::join(install::agent_names(), ", "));
  line.add_flag("--system", options.system, "for everybody on this machine; needs root");
  line.add_flag("--dry-run", options.dry_run, "say what would be changed, and change nothing");
  line.add_flag("--json", options.json, "as a JSON object");
  if (auto status = line.parse(invocation.arguments)) return *status;
  auto done = install_agents(options);
  if (done) return *done;
  complain(done.error());
  return kUsageStatus;
}

}  // namespace ringwall::cli
