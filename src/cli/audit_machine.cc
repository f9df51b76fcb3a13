#include "cli/audit_machine.h"

#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/audit_show.h"
#include "cli/output.h"
#include "host/surroundings.h"
#include "machine_audit/fix_apply.h"
#include "machine_audit/fix_plan.h"
#include "machine_audit/machine.h"
#include "state/places.h"

namespace ringwall::cli {
namespace {

constexpr const char* kExamples =
    R"(Looks at your settings, this project's and the managed ones of the agents (Claude
Code, Codex, Gemini CLI, Cursor, Copilot, opencode), at MCP servers, hooks and
plugins, editors, git, start files of shells, package managers, development
containers, container daemons, and credentials in reach.

Examples:
  ringwall audit                     this machine, and the project around this folder
  ringwall audit --fix               mend what can be mended safely; keeps a copy
  ringwall audit --json              for programs
  ringwall audit --html report.html  also as a page
  ringwall audit repo ~/src/new      what waits in a repository

--fix changes your own files alone, takes switches that weaken something back, and
prints for each file the command that brings the old one back.
What each number means: docs/audit.md.
Exit status: 0 if nothing above "info" was found (with --fix: is left), 1 if
something was, 125 if the audit could not be made.)";

// The repository around this folder, as a run takes it; the folder itself if there is none.
std::string find_project(const std::string& home) {
  std::unique_ptr<char, decltype(&free)> here(realpath(".", nullptr), free);
  if (here == nullptr) return {};
  std::string folder = here.get();
  for (std::string at = folder; at != "/" && at != home; at = path::parent(at)) {
    if (file::exists(path::join(at, ".git"))) return at;
  }
  return folder == home || folder == "/" ? std::string() : folder;
}

// Variables that lead agents to another folder.
std::vector<machine_audit::MovedFolder> find_moved() {
  constexpr std::pair<const char*, std::string_view> kVariables[] = {
      {"CLAUDE_CONFIG_DIR", ".claude/"}, {"CODEX_HOME", ".codex/"},
      {"COPILOT_HOME", ".copilot/"},     {"OPENCODE_CONFIG_DIR", ".config/opencode/"},
      {"XDG_CONFIG_HOME", ".config/"},
  };
  std::vector<machine_audit::MovedFolder> moved;
  for (const auto& [name, usual] : kVariables) {
    const char* folder = getenv(name);
    if (folder != nullptr && folder[0] == '/') moved.push_back({usual, path::normalize(folder)});
  }
  return moved;
}

// Messages go beside the report, which may be for programs.
void tell_change(const machine_audit::FixedFile& fixed) {
  std::string numbers = text::join(fixed.numbers, ", ");
  if (!fixed.why_not.empty()) {
    fprintf(stderr, "ringwall: not changed: %s (%s): %s\n", text::quote(fixed.path).c_str(),
            numbers.c_str(), fixed.why_not.c_str());
    return;
  }
  fprintf(stderr, "ringwall: changed %s (%s)\n          → as before: %s\n",
          text::quote(fixed.path).c_str(), numbers.c_str(), fixed.restore.c_str());
}

void tell_left(const machine_audit::LeftFinding& left) {
  std::string place = text::quote(left.path);
  if (left.line > 0) place += ":" + std::to_string(left.line);
  fprintf(stderr, "ringwall: not changed: %s (%s): %s\n", place.c_str(), left.number.c_str(),
          left.why.c_str());
}

Result<audit::Report> fix(const machine_audit::MachineRequest& request, const state::Places& places,
                          audit::Report report) {
  TRY_ASSIGN(machine_audit::FixPlan plan, machine_audit::plan_fixes(request, report));
  for (const machine_audit::LeftFinding& left : plan.left)
    tell_left(left);
  if (plan.empty()) {
    fprintf(stderr, "ringwall: nothing here can be mended by --fix\n");
    return report;
  }
  TRY_ASSIGN(auto fixed,
             machine_audit::apply_fixes(plan, path::join(places.state, "audit/backups")));
  for (const machine_audit::FixedFile& file : fixed)
    tell_change(file);
  return machine_audit::audit_machine(request);
}

}  // namespace

Result<int> audit_this_machine(const std::vector<std::string>& arguments,
                               std::span<char> start_area) {
  CommandLine line("Says what is open on this machine, and how to close it.", "audit",
                   "ringwall audit [--json | --sarif] [--html FILE] [--fix]\n"
                   "       ringwall audit repo [--json | --sarif] [--html FILE] [DIR]");
  line.footer(kExamples);
  AuditForm form;
  bool fixes = false;
  add_audit_options(line, form);
  line.add_flag("--fix", fixes, "mend what can be mended safely, and keep a copy of each file");
  if (auto status = line.parse(arguments)) return *status;
  TRY_ASSIGN(state::Caller caller, state::read_caller());
  machine_audit::MachineRequest request{
      .home = caller.home,
      .project = find_project(caller.home),
      .uid = caller.uid,
      .private_group = machine_audit::find_private_group(caller.uid, caller.gid),
      .start_area = start_area,
      .is_inside = host::read_surroundings().inside_ringwall,
      .moved = find_moved()};
  TRY_ASSIGN(audit::Report report, machine_audit::audit_machine(request));
  if (fixes) {
    if (request.is_inside) return fail("--fix is for your own machine", "give it outside the run");
    state::Places places = state::find_places(caller, getenv("XDG_RUNTIME_DIR"));
    TRY_ASSIGN(report, fix(request, places, std::move(report)));
  }
  return show_audit(report, form);
}

}  // namespace ringwall::cli
