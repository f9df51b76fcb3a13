// ringwall uninstall: everything that install has changed is as it was.
#include <boost/json.hpp>
#include <cstdio>

#include "base/text.h"
#include "cli/command.h"
#include "cli/empty_folder.h"
#include "cli/install_scope.h"
#include "cli/options.h"
#include "cli/output.h"
#include "install/apply.h"

namespace ringwall::cli {
namespace {

namespace json = boost::json;

constexpr const char* kExamples = R"(Examples:
  ringwall uninstall claude            its plain name is the agent itself again
  ringwall uninstall                   all of them
  sudo ringwall uninstall --system

What was replaced comes back byte for byte, with its mode and time. Settings that
you have changed since keep your changes, and lose only what Ringwall put there.
What an update of the agent has replaced since stays as the update left it.)";

struct UninstallOptions {
  std::vector<std::string> names;
  bool system = false;
  bool json = false;
};

void print_undone(const install::Undone& undone, bool as_json) {
  if (as_json) {
    json::array restored, notes;
    for (const std::string& path : undone.restored)
      restored.emplace_back(text::escape(path));
    for (const std::string& note : undone.notes)
      notes.emplace_back(note);
    json::object out{{"restored", std::move(restored)}, {"notes", std::move(notes)}};
    printf("%s\n", text::harmless_json(json::serialize(out)).c_str());
    return;
  }
  for (const std::string& path : undone.restored)
    printf("  %s: as it was\n", text::quote(path).c_str());
  for (const std::string& note : undone.notes)
    printf("note: %s\n", note.c_str());
}

Result<int> uninstall_agents(const UninstallOptions& options) {
  TRY(refuse_inside_a_run("uninstall"));
  TRY_ASSIGN(auto agents, agents_named(options.names));
  TRY_ASSIGN(LockedInstallPlace locked, lock_install_place(options.system));
  InstallPlace& place = locked.place;
  for (const std::string& name : options.names) {
    if (!place.manifest.is_installed(name))
      return fail(name + " is not installed behind the walls", "see: ringwall installed");
  }
  if (place.manifest.changes.empty())
    return fail("nothing is installed", "see: ringwall installed");
  install::Undone all;
  std::vector<std::string> names =
      options.names.empty() ? std::vector<std::string>{""} : options.names;
  for (const std::string& name : names) {
    TRY_ASSIGN(install::Undone one, install::undo(place.scope, place.manifest, name));
    all.restored.insert(all.restored.end(), one.restored.begin(), one.restored.end());
    all.notes.insert(all.notes.end(), one.notes.begin(), one.notes.end());
  }
  bool is_all = !options.system && place.manifest.changes.empty();
  if (is_all) remove_empty_folders(place.caller.home);
  print_undone(all, options.json);
  return 0;
}

}  // namespace

int cmd_uninstall(const Invocation& invocation) {
  CommandLine line("Undoes `ringwall install`, byte for byte.", "uninstall",
                   "ringwall uninstall [--system] [--json] [AGENT…]");
  line.footer(kExamples);
  UninstallOptions options;
  line.add_option("AGENT", options.names, "those to undo; default: all");
  line.add_flag("--system", options.system, "what was installed for everybody; needs root");
  line.add_flag("--json", options.json, "as a JSON object");
  if (auto status = line.parse(invocation.arguments)) return *status;
  auto done = uninstall_agents(options);
  if (done) return *done;
  complain(done.error());
  return kUsageStatus;
}

}  // namespace ringwall::cli
