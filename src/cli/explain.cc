#include "cli/explain.h"

#include <boost/json.hpp>
#include <cstdio>

#include "base/layout.h"
#include "base/text.h"
#include "cli/output.h"
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
    case Mount::Kind::folder:
      return "folder";
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

bool is_missing(const sandbox::WallFacts& wall, const sandbox::Plan& plan) {
  return wall.wall == sandbox::Wall::landlock && plan.landlock_abi < sandbox::kLeastLandlockAbi;
}

void print_json(const session::Preparation& prepared) {
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
    environment.push_back({{"name", entry.name}, {"value", entry.value}, {"reason", entry.reason}});
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
  json::object out{{"workspace", plan.workspace},
                   {"working_folder", plan.working_folder},
                   {"home", prepared.home.name},
                   {"program", plan.program},
                   {"command", command},
                   {"uid", plan.identity.uid},
                   {"mounts", mounts},
                   {"environment", environment},
                   {"walls", walls}};
  printf("%s\n", json::serialize(out).c_str());
}

void print_row(const Style& style, const std::string& left, const std::string& middle,
               std::string_view right) {
  std::string row = "  " + layout::pad(left, 40) + " " + layout::pad(middle, 20) + " ";
  row += std::string(style.dim) + std::string(right) + std::string(style.plain);
  printf("%s\n", row.c_str());
}

std::string describe(const Mount& mount) {
  if (mount.kind == Mount::Kind::symlink) return "→ " + text::quote(mount.source);
  if (mount.kind == Mount::Kind::bind || mount.access == Access::none) {
    return mount.access == Access::none ? name_of(mount.kind) : name_of(mount.access);
  }
  return std::string(name_of(mount.access)) + ", " + name_of(mount.kind);
}

}  // namespace

void print_explanation(const session::Preparation& prepared, bool json) {
  if (json) return print_json(prepared);
  const sandbox::Plan& plan = prepared.plan;
  Style style = style_for(stdout);
  auto heading = [&](const std::string& title) {
    printf("%s\n", (std::string(style.bold) + title + std::string(style.plain)).c_str());
  };
  heading("Run");
  print_row(style, "program", text::quote(plan.program.empty() ? plan.arguments[0] : plan.program),
            "");
  print_row(style, "workspace", text::quote(plan.workspace), "");
  print_row(style, "working folder", text::quote(plan.working_folder), "");
  print_row(style, "private home", prepared.home.name, "");
  print_row(style, "user inside",
            plan.identity.user + " (" + std::to_string(plan.identity.uid) + ")", "");
  heading("Files: nothing else is there");
  for (const Mount& mount : plan.mounts)
    print_row(style, text::quote(mount.target), describe(mount), mount.reason);
  heading("Environment: nothing else is set");
  for (const auto& entry : plan.environment) {
    print_row(style, entry.name + "=" + text::quote(entry.value), "", entry.reason);
  }
  heading("Walls");
  for (const auto& wall : sandbox::walls()) {
    const char* state = is_missing(wall, plan)                 ? "NOT ON THIS HOST"
                        : wall.need == sandbox::Need::required ? "required"
                                                               : "second wall";
    print_row(style, std::string(wall.name), state, wall.made_of);
  }
}

}  // namespace ringwall::cli
