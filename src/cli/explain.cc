#include "cli/explain.h"

#include <algorithm>
#include <boost/json.hpp>
#include <cstdio>

#include "base/layout.h"
#include "base/path.h"
#include "base/text.h"
#include "base/unix_sockets.h"
#include "cli/output.h"
#include "events/redact.h"
#include "limits/cgroup.h"
#include "limits/limits.h"
#include "sandbox/file_plan.h"
#include "sandbox/landlock.h"
#include "sandbox/wall.h"

namespace ringwall::cli {
namespace {

using sandbox::Access;
using sandbox::Mount;

const char* name_of(Mount::Kind kind) {
  switch (kind) {
    case Mount::Kind::bind:
      return "bind";
    case Mount::Kind::overlay:
      return "overlay";
    case Mount::Kind::without:
      return "without";
    case Mount::Kind::tmpfs:
      return "tmpfs";
    case Mount::Kind::proc:
      return "proc";
    case Mount::Kind::mqueue:
      return "mqueue";
    case Mount::Kind::devpts:
      return "devpts";
    case Mount::Kind::read_only:
      return "read-only";
    case Mount::Kind::file:
      return "file";
    case Mount::Kind::symlink:
      return "symlink";
    case Mount::Kind::own_folder:
      return "own folder";
    case Mount::Kind::own_link:
      return "own file";
    case Mount::Kind::folder:
      return "folder";
    case Mount::Kind::socket:
      return "socket";
    case Mount::Kind::mask:
      return "mask";
    case Mount::Kind::pin:
      return "pin";
  }
  return "";
}

const char* name_of(Access access) {
  switch (access) {
    case Access::write:
      return "write";
    case Access::write_data:
      return "write, no execute";
    case Access::device:
      return "device";
    case Access::terminals:
      return "terminals";
    case Access::proc:
      return "processes";
    case Access::read:
      return "read";
    case Access::none:
      return "";
  }
  return "";
}

// Looked for only where a limit would use it, as a run does.
bool has_cgroup(const sandbox::Plan& plan) {
  if (!limits::wants_cgroup(plan.limits)) return false;
  limits::Controllers wanted = limits::wanted_controllers(plan.limits);
  return limits::plan_cgroup(limits::read_cgroup_facts(), wanted).way !=
         limits::CgroupPlan::Way::none;
}

bool is_missing(const sandbox::WallFacts& wall, const sandbox::Plan& plan) {
  if (wall.wall == sandbox::Wall::later_sockets) return !unix_sockets::can_be_listed();
  return wall.wall == sandbox::Wall::landlock && plan.landlock_abi < sandbox::kLeastLandlockAbi;
}

void print_json(const prepare::Preparation& prepared, const std::string& trouble) {
  namespace json = boost::json;
  const sandbox::Plan& plan = prepared.plan;
  json::array mounts, environment, walls, command;
  for (const Mount& mount : plan.mounts) {
    mounts.push_back({{"path", mount.target},
                      {"kind", name_of(mount.kind)},
                      {"source", mount.source},
                      {"access", name_of(mount.access)},
                      {"reason", mount.reason}});
  }
  for (const auto& entry : plan.environment) {
    environment.push_back({{"name", entry.name},
                           {"value", events::redact_value(entry.name, entry.value)},
                           {"reason", entry.reason}});
  }
  for (const auto& wall : sandbox::walls()) {
    walls.push_back({{"wall", wall.name},
                     {"made_of", wall.made_of},
                     {"keeps", wall.keeps},
                     {"required", wall.need == sandbox::Need::required},
                     {"present", !is_missing(wall, plan)}});
  }
  for (const std::string& argument : plan.arguments)
    command.emplace_back(argument);
  json::array limits;
  for (const auto& row : limits::describe_limits(plan.limits, has_cgroup(plan)))
    limits.push_back({{"limit", row.key}, {"value", row.value}, {"kept_by", row.kept_by}});
  json::array programs;
  for (const auto& taken : prepared.exec.found.taken) {
    programs.push_back(
        {{"path", prepared.exec.inside(taken)}, {"rule", taken.rule}, {"why", taken.why}});
  }
  json::value shown_as_root;
  if (plan.identity.shown_as_root) shown_as_root = *plan.identity.shown_as_root;
  json::object out{{"workspace", plan.workspace},
                   {"working_folder", plan.working_folder},
                   {"home", prepared.home.name},
                   {"program", plan.program},
                   {"trouble", trouble},
                   {"command", command},
                   {"uid", plan.identity.uid},
                   {"shown_as_root", shown_as_root},
                   {"unmanaged", prepared.unmanaged.what},
                   {"mounts", mounts},
                   {"programs", programs},
                   {"environment", environment},
                   {"limits", limits},
                   {"walls", walls}};
  printf("%s\n", text::harmless_json(json::serialize(out)).c_str());
}

// Three columns: the thing, what it is, and why it is there.
struct Row {
  std::string left, middle, right;
};

constexpr size_t kWidestLeft = 48;
constexpr size_t kWidestMiddle = 32;

// Columns as wide as their widest text, up to a limit; a longer text has a line of its own.
void print_rows(const Style& style, const char* title, const std::vector<Row>& rows) {
  size_t left = 0;
  size_t middle = 0;
  for (const Row& row : rows) {
    size_t width = layout::columns(row.left) + 2;
    if (width <= kWidestLeft) left = std::max(left, width);
    if (!row.middle.empty()) middle = std::max(middle, layout::columns(row.middle) + 2);
  }
  middle = std::min(middle, kWidestMiddle);
  printf("%s\n", (std::string(style.bold) + title + std::string(style.plain)).c_str());
  for (const Row& row : rows) {
    std::string line = "  " + row.left;
    std::string rest = row.right.empty()
                           ? row.middle
                           : layout::pad(row.middle.empty() ? "" : row.middle + "  ", middle);
    if (!row.right.empty()) rest += std::string(style.dim) + row.right + std::string(style.plain);
    bool fits = layout::columns(row.left) + 2 <= left;
    if (!rest.empty() && !fits) line += "\n" + std::string(left + 2, ' ') + rest;
    if (!rest.empty() && fits) line = layout::pad(line, left + 2) + rest;
    printf("%s\n", line.c_str());
  }
}

std::string describe(const Mount& mount) {
  if (mount.kind == Mount::Kind::symlink) return "→ " + text::quote(mount.source);
  if (mount.kind == Mount::Kind::bind || mount.access == Access::none) {
    return mount.access == Access::none ? name_of(mount.kind) : name_of(mount.access);
  }
  return std::string(name_of(mount.access)) + ", " + name_of(mount.kind);
}

std::vector<Row> run_rows(const prepare::Preparation& prepared, const std::string& trouble) {
  const sandbox::Plan& plan = prepared.plan;
  std::string program = text::quote(plan.program.empty() ? plan.arguments[0] : plan.program);
  if (!trouble.empty()) program += " (" + trouble + ")";
  std::vector<Row> rows = {
      {"program", program, ""},
      {"workspace", text::quote(plan.workspace), ""},
      {"working folder", text::quote(plan.working_folder), ""},
      {"private home", prepared.home.name, ""},
      {"user inside", plan.identity.user + " (" + std::to_string(plan.identity.uid) + ")", ""}};
  if (plan.identity.shown_as_root)
    rows.push_back({"root inside",
                    "uid " + std::to_string(*plan.identity.shown_as_root) +
                        " of this host, owns managed settings and no process",
                    ""});
  const Error& unmanaged = prepared.unmanaged;
  std::string mend = unmanaged.hint.empty() ? "" : " (to have them: " + unmanaged.hint + ")";
  if (!unmanaged.what.empty())
    rows.push_back({"managed settings", "none of root's: " + unmanaged.text() + mend, ""});
  return rows;
}

// A setting of git takes two variables, GIT_CONFIG_KEY_n and GIT_CONFIG_VALUE_n: one row for both.
std::vector<Row> environment_rows(const std::vector<sandbox::EnvironmentEntry>& environment) {
  std::vector<Row> rows;
  for (size_t i = 0; i < environment.size(); i++) {
    const sandbox::EnvironmentEntry& entry = environment[i];
    bool pair = entry.name.starts_with("GIT_CONFIG_KEY_") && i + 1 < environment.size() &&
                environment[i + 1].name.starts_with("GIT_CONFIG_VALUE_");
    if (pair) i++;
    std::string name = pair ? "git: " + text::quote(entry.value) : entry.name;
    std::string value = events::redact_value(environment[i].name, environment[i].value);
    rows.push_back({name + "=" + text::quote(value), "", entry.reason});
  }
  return rows;
}

std::vector<Row> wall_rows(const sandbox::Plan& plan) {
  std::vector<Row> rows;
  for (const auto& wall : sandbox::walls()) {
    const char* state = is_missing(wall, plan)                 ? "NOT ON THIS HOST"
                        : wall.need == sandbox::Need::required ? "required"
                                                               : "optional";
    rows.push_back({std::string(wall.name), state, std::string(wall.made_of)});
  }
  return rows;
}

// What is missing although its folder is there, by which rule.
std::vector<Row> program_rows(const prepare::ExecPlan& plan) {
  std::vector<Row> rows;
  for (const auto& taken : plan.found.taken) {
    std::string inside = plan.inside(taken);
    if (inside.empty()) continue;
    std::string rule =
        taken.rule.empty() ? "" : text::quote(taken.rule) + " (" + taken.origin.text() + ")";
    rows.push_back({text::quote(inside), rule, text::escape(taken.why)});
  }
  for (const std::string& note : plan.found.notes)
    rows.push_back({text::escape(note), "", ""});
  return rows;
}

std::vector<Row> limit_rows(const sandbox::Plan& plan) {
  std::vector<Row> rows;
  for (const auto& row : limits::describe_limits(plan.limits, has_cgroup(plan)))
    rows.push_back({std::string(row.key), row.value, std::string(row.kept_by)});
  return rows;
}

}  // namespace

void print_explanation(const prepare::Preparation& prepared, const std::string& trouble,
                       bool json) {
  if (json) return print_json(prepared, trouble);
  const sandbox::Plan& plan = prepared.plan;
  Style style = style_for(stdout);
  std::vector<Row> files;
  // Where they are seen says how many they are.
  std::string copies = path::join(prepared.caller.home, sandbox::kOwnPlaces);
  for (const Mount& mount : plan.mounts) {
    if (!path::is_beneath(mount.target, copies))
      files.push_back({text::quote(mount.target), describe(mount), mount.reason});
  }
  print_rows(style, "Run", run_rows(prepared, trouble));
  print_rows(style, "Files: nothing else is there", files);
  if (prepared.exec.is_on()) print_rows(style, "Programs: taken away", program_rows(prepared.exec));
  print_rows(style, "Environment: nothing else is set", environment_rows(plan.environment));
  print_rows(style, "Limits", limit_rows(plan));
  print_rows(style, "Walls", wall_rows(plan));
}

}  // namespace ringwall::cli
