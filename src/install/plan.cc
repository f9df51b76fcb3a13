#include "install/plan.h"

#include <algorithm>

#include "base/path.h"
#include "base/readable_json.h"
#include "base/strict_json.h"
#include "base/text.h"
#include "gate/hook_settings.h"
#include "install/kept_numbers.h"
#include "install/marked_lines.h"
#include "install/shim.h"

namespace ringwall::install {
namespace {

namespace json = boost::json;

FileState new_file(std::string content, mode_t mode, const FileState& before) {
  FileState out{.kind = FileState::Kind::file,
                .content = std::move(content),
                .mode = before.is_file() ? before.mode : mode,
                .owner = before.owner,
                .group = before.group};
  return out;
}

FileState shim_file(const Shim& shim, const FileState& before) {
  FileState out = new_file(shim_text(shim), 0755, before);
  out.mode = 0755;
  return out;
}

bool is_replaceable(const Scope& scope, const Copy& copy, const Manifest& manifest) {
  if (copy.goes_by_name || copy.of_a_project || copy.bundled) return false;
  if (copy.shim && copy.state.is_link()) return false;  // the shim behind it is walled, or made so
  // One that starts another ringwall, or one that is first on PATH, has its own way.
  // One that no manifest knows of is noted anew, so that it can be undone.
  bool is_known = copy.shim && manifest.find(copy.path) != nullptr;
  if (copy.shim && copy.shim->real.empty()) return false;
  if (is_known && copy.shim->program == scope.program) return false;
  if (!scope.system) return copy.persons_own;
  return !path::is_beneath(copy.path, "/home") && !path::is_beneath(copy.path, "/root") &&
         !path::is_beneath(copy.path, "/snap");
}

bool is_owned(const SeenAgent& seen, const Copy& copy) {
  return std::ranges::find(seen.owned_copies, copy.path) != seen.owned_copies.end();
}

// Places of place_for_moved().
bool is_place_for_moved(const std::string& path, std::string_view name) {
  std::string beside = "/." + std::string(name) + ".ringwall-real";
  return path.ends_with(beside) || path.ends_with("/lib/ringwall/real/" + std::string(name));
}

// A shim of another ringwall, or one whose manifest was lost: what it stands for stays what it is.
Change plan_new_shim(const Scope& scope, const SeenAgent& seen, const Copy& copy) {
  Change change{.kind = Change::Kind::shim,
                .agent = std::string(seen.agent->name),
                .path = copy.path,
                .before = copy.state};
  change.before.kind = FileState::Kind::link;
  change.before.content = copy.shim->real;
  if (is_place_for_moved(copy.shim->real, path::basename(copy.path))) {
    change.before = {.kind = FileState::Kind::file, .mode = 0755, .whole = false};
    change.moved_to = copy.shim->real;
    change.diverted = is_owned(seen, copy);
  }
  change.after = shim_file({change.agent, scope.program, copy.shim->real}, copy.state);
  return change;
}

Change plan_shim(const Scope& scope, const SeenAgent& seen, const Copy& copy) {
  if (copy.shim) return plan_new_shim(scope, seen, copy);
  bool owned = is_owned(seen, copy);
  Change change{.kind = Change::Kind::shim,
                .agent = std::string(seen.agent->name),
                .path = copy.path,
                .before = copy.state,
                .moved_to = place_for_moved(scope, copy, owned),
                .diverted = owned};
  // What lies there is moved whole, or is a link of a few bytes.
  if (change.before.is_file()) change.before.content.clear(), change.before.whole = false;
  std::string real = change.moved_to.empty()
                         ? path::absolute(copy.state.content, path::parent(copy.path))
                         : change.moved_to;
  change.after = shim_file({change.agent, scope.program, real}, copy.state);
  return change;
}

// In front of everything: what an update puts in the place of a shim, and what lies where the
// person may not write, is found behind it.
void plan_first_shim(const Scope& scope, const SeenAgent& seen, const Manifest& manifest,
                     Plan& plan) {
  std::string name(seen.agent->name);
  Change change{.kind = Change::Kind::shim,
                .agent = name,
                .path = path::join(scope.shims, name),
                .before = seen.first_shim};
  change.after = shim_file({name, scope.program, ""}, {});
  change.after.owner = scope.uid;
  bool is_known = manifest.find(change.path) != nullptr;
  if (same_content(seen.first_shim, change.after) && is_known) return;
  if (!is_known && read_shim(seen.first_shim.content)) {
    change.before = {};
    change.folders = {path::parent(scope.shims), scope.shims};
  }
  plan.changes.push_back(std::move(change));
}

// For settings that take one program and start another with it: "process wrapper" of editors.
void plan_wrapper(const Scope& scope, const SeenFile& file, const Manifest& manifest, Plan& plan) {
  Change change{.kind = Change::Kind::lines, .path = file.path, .before = file.state};
  change.after = shim_file({}, {});
  change.after.content =
      "#!/bin/sh\n# Ringwall's: runs what it is given behind the walls. See "
      "docs/install.md\nexec " +
      for_any_shell(scope.program) + " run -- \"$@\"\n";
  change.after.owner = scope.uid;
  if (same_content(file.state, change.after)) {
    if (manifest.find(file.path) != nullptr) return;
    change.before = {};
  }
  plan.changes.push_back(std::move(change));
}

std::vector<SettingsEdit> edits_for(const Scope& scope, const Agent& agent) {
  std::vector<SettingsEdit> edits;
  for (const ClosedHatch& hatch : agent.hatches)
    edits.push_back({.place = text::split(hatch.key, '.'), .value = json::parse(hatch.value)});
  if (!agent.hooks) return edits;
  for (const auto& event : gate::walled_hooks(*agent.hooks, scope.program)) {
    for (const json::value& hook : event.value().get_array())
      edits.push_back({.place = {"hooks", std::string(event.key())}, .value = hook, .adds = true});
  }
  return edits;
}

// Without what an earlier installation has put there: that may have named another program.
json::object settings_before(json::object now, const Change* earlier) {
  return earlier == nullptr ? now : take_out(std::move(now), earlier->edits);
}

// Ours by their hooks, and no manifest knows of them: noted anew, as they are.
void note_settings(const Agent& agent, const SeenFile& file, const json::object& now,
                   std::vector<SettingsEdit> edits, Plan& plan) {
  for (SettingsEdit& edit : edits)
    edit.made = edit.place.size();
  json::object base = take_out(now, edits);
  Change change{.kind = Change::Kind::settings,
                .agent = std::string(agent.name),
                .path = file.path,
                .after = file.state,
                .edits = std::move(edits)};
  if (!base.empty()) {
    change.before = file.state;
    change.before.content = readable_json(base) + "\n";
    change.before.changed = 0;
  }
  plan.changes.push_back(std::move(change));
}

Status plan_settings(const Scope& scope, const Agent& agent, const SeenFile& file,
                     const Change* earlier, Plan& plan) {
  std::vector<SettingsEdit> edits = edits_for(scope, agent);
  json::object now;
  if (!file.state.is_absent()) {
    if (!file.state.is_file() || !file.state.whole)
      return fail(text::quote(file.path) + " is no plain file, or too large");
    std::string_view content = text::trim(file.state.content);
    auto parsed = content.empty() ? json::object{} : strict_json::parse_object(content);
    if (!parsed)
      return fail(text::quote(file.path) + " cannot be read: " + parsed.error().text(),
                  "mend it first; comments cannot be kept");
    if (std::string number = number_that_would_change(content, *parsed); !number.empty())
      return fail(text::quote(file.path) +
                      " has a number that could not be kept as it is: " + text::quote(number),
                  "write it in plain digits first");
    now = std::move(*parsed);
  }
  if (holds_all(now, edits)) {
    if (earlier == nullptr && agent.hooks) note_settings(agent, file, now, std::move(edits), plan);
    return {};
  }
  json::object base = settings_before(now, earlier);
  Change change{.kind = Change::Kind::settings,
                .agent = std::string(agent.name),
                .path = file.path,
                .before = file.state,
                .edits = std::move(edits)};
  if (base != now) {
    change.before.content = readable_json(base) + "\n";
    change.before.changed = 0;
  }
  auto after = put_in(std::move(base), change.edits);
  if (!after) return fail(text::quote(file.path) + ": " + after.error().text(), "mend it first");
  change.after = new_file(readable_json(*after) + "\n", scope.system ? 0644 : 0600, file.state);
  if (file.state.is_absent()) change.after.owner = scope.uid;
  plan.changes.push_back(std::move(change));
  return {};
}

void plan_lines(const Scope& scope, const SeenFile& file, const std::string& agent,
                const std::string& lines, const Manifest& manifest, Plan& plan) {
  if (!file.state.is_absent() && (!file.state.is_file() || !file.state.whole)) {
    plan.notes.push_back(text::quote(file.path) + " is no plain file, and is left as it is");
    return;
  }
  std::string text = with_marked_lines(file.state.content, lines);
  if (text == file.state.content && manifest.find(file.path) != nullptr) return;
  Change change{.kind = Change::Kind::lines,
                .agent = agent,
                .path = file.path,
                .before = file.state,
                .after = new_file(std::move(text), 0644, file.state)};
  if (has_marked_lines(file.state.content)) {
    change.before.content = without_marked_lines(file.state.content);
    change.before.changed = 0;
    if (change.before.content.empty()) change.before = {};
  }
  if (file.state.is_absent()) change.after.owner = scope.uid;
  plan.changes.push_back(std::move(change));
}

// Codex: neither full access nor never asking.
constexpr const char* kNoBypass =
    "allowed_sandbox_modes = [\"read-only\", \"workspace-write\"]\n"
    "allowed_approval_policies = [\"untrusted\", \"on-request\"]\n\n";

Status plan_requirements(const Scope& scope, const Agent& agent, const SeenFile& file,
                         const Manifest& manifest, Plan& plan) {
  if (without_marked_lines(file.state.content).find("[hooks") != std::string::npos)
    return fail(text::quote(file.path) + " has hooks already",
                "add what `ringwall hook print --agent codex` gives by hand");
  std::string own = without_marked_lines(file.state.content);
  // Keys at the top of a file cannot stand behind a table of somebody else's.
  bool is_open = own.find('[') == std::string::npos && own.find("allowed_") == std::string::npos;
  if (!is_open)
    plan.notes.push_back(text::quote(file.path) +
                         " is somebody's: its bypass modes are as it says");
  plan_lines(scope, file, std::string(agent.name),
             (is_open ? kNoBypass : "") + gate::walled_requirements(scope.program), manifest, plan);
  return {};
}

std::string lines_for_shell(const std::string& path, const std::string& shims) {
  std::string folder = for_any_shell(shims);
  if (path.ends_with(".fish"))
    return "if test \"$PATH[1]\" != " + folder + "\n  set -gx PATH " + folder + " $PATH\nend\n";
  return "case \"$PATH\" in\n  " + folder + ":*) ;;\n  *) PATH=" + folder +
         ":\"$PATH\" && export PATH ;;\nesac\n";
}

Status plan_agent(const Scope& scope, const SeenAgent& seen, const Manifest& manifest, Plan& plan) {
  const Agent& agent = *seen.agent;
  std::string name(agent.name);
  bool found = std::ranges::any_of(seen.copies, [](const Copy& copy) { return !copy.bundled; });
  if (!found && !manifest.is_installed(name)) {
    plan.notes.push_back(name + " is not installed here" +
                         (agent.package.empty()
                              ? "; once it is, plain " + name + " runs behind the walls"
                              : "; once `npm install -g " + std::string(agent.package) +
                                    "` has brought it, plain " + name + " runs behind the walls"));
  }
  for (const Copy& copy : seen.copies) {
    if (is_replaceable(scope, copy, manifest)) plan.changes.push_back(plan_shim(scope, seen, copy));
  }
  if (!scope.system) plan_first_shim(scope, seen, manifest, plan);
  for (const SeenFile& file : seen.settings) {
    if (file.path.ends_with(".toml"))
      TRY(plan_requirements(scope, agent, file, manifest, plan));
    else
      TRY(plan_settings(scope, agent, file, manifest.find(file.path), plan));
  }
  return {};
}

// What an earlier installation has found stays what uninstalling gives back.
void keep_first_state(Change& change, const FileState& now, const Manifest& manifest) {
  const Change* earlier = manifest.find(change.path);
  if (earlier == nullptr) return;
  change.folders = earlier->folders;
  if (!same_content(now, earlier->after)) return;
  change.before = earlier->before;
  change.moved_to = earlier->moved_to;
  change.diverted = earlier->diverted;
}

const FileState* state_now(const Seen& seen, const std::string& path, const std::string& shims) {
  for (const SeenAgent& agent : seen.agents) {
    for (const Copy& copy : agent.copies) {
      if (copy.path == path) return &copy.state;
    }
    for (const SeenFile& file : agent.settings) {
      if (file.path == path) return &file.state;
    }
    if (path == path::join(shims, agent.agent->name)) return &agent.first_shim;
  }
  for (const std::vector<SeenFile>* files : {&seen.wrapper, &seen.shell_files}) {
    auto found = std::ranges::find(*files, path, &SeenFile::path);
    if (found != files->end()) return &found->state;
  }
  return nullptr;
}

}  // namespace

std::string place_for_moved(const Scope& scope, const Copy& copy, bool owned) {
  bool is_link = copy.state.is_link();
  if (is_link && !owned) return "";
  std::string folder = path::parent(copy.path);
  std::string name(path::basename(copy.path));
  // Beside it, scripts and links that start from their own folder still find their way.
  bool starts_from_there = !scope.system || (is_link && !copy.state.content.starts_with('/'));
  if (starts_from_there) return path::join(folder, "." + name + ".ringwall-real");
  return path::join(path::parent(folder), "lib/ringwall/real/" + name);
}

Result<Plan> plan_install(const Scope& scope, const Seen& seen, const Manifest& manifest) {
  Plan plan;
  for (const SeenAgent& agent : seen.agents)
    TRY(plan_agent(scope, agent, manifest, plan));
  for (const SeenFile& file : seen.wrapper)
    plan_wrapper(scope, file, manifest, plan);
  for (const SeenFile& file : seen.shell_files)
    plan_lines(scope, file, "", lines_for_shell(file.path, scope.shims), manifest, plan);
  for (Change& change : plan.changes) {
    if (const FileState* now = state_now(seen, change.path, scope.shims))
      keep_first_state(change, *now, manifest);
  }
  return plan;
}

}  // namespace ringwall::install
