#include "gate/hook_settings.h"

#include "base/path.h"
#include "base/shell_word.h"
#include "gate/gate_channel.h"

namespace ringwall::gate {
namespace {

namespace json = boost::json;

// Seconds. Our own watchdog is far below; Codex may wait for its person, who answers outside.
constexpr int kTimeout = 30;
constexpr int kCodexTimeout = 600;

// Which events are asked about, and how the hook is started.
struct HookSet {
  bool (*is_wanted)(const EventRow& row);
  std::string (*command)(Agent agent, const EventRow& row, const std::string& program);
};

bool is_wanted(const EventRow& row) {
  return row.moment != Moment::other && row.moment != Moment::session_end &&
         row.style != Style::claude;
}

// Where an agent outside of every run can be stopped; and its start, which can be told.
bool is_wanted_outside(const EventRow& row) {
  return row.style != Style::claude &&
         (row.moment == Moment::before_tool || row.moment == Moment::permission ||
          row.moment == Moment::prompt || row.moment == Moment::session_start);
}

bool is_about_tools(const EventRow& row) {
  return row.moment == Moment::before_tool || row.moment == Moment::permission ||
         row.moment == Moment::after_tool || row.moment == Moment::after_failure;
}

std::string command_of(Agent agent, const EventRow& row, const std::string& program) {
  return text::shell_word(program) + " hook --agent " + std::string(dialect_of(agent).name) +
         " --event " + std::string(row.name);
}

// The person's settings are copied into a run, where the gate's program is there and the person's
// may be missing; outside, only root puts something below /run. A program that cannot be started
// refuses too. As every shell reads it.
std::string command_outside(Agent agent, const EventRow& row, const std::string& program) {
  std::string rest = " hook --walled --agent " + std::string(dialect_of(agent).name) + " --event " +
                     std::string(row.name);
  std::string inside = kGateProgram;
  return "[ -x " + inside + " ] && exec " + inside + rest + "; " + text::shell_word(program) +
         rest + " || exit 2";
}

constexpr HookSet kOfARun{is_wanted, command_of};
constexpr HookSet kOutside{is_wanted_outside, command_outside};

json::object for_groups(Agent agent, const std::string& program, json::object rest,
                        std::string_view all, const HookSet& set = kOfARun) {
  json::object out;
  for (const EventRow& row : dialect_of(agent).events) {
    if (!set.is_wanted(row)) continue;
    json::object hook{{"type", "command"}, {"command", set.command(agent, row, program)}};
    for (const auto& [key, value] : rest)
      hook[key] = value;
    json::object group{{"hooks", json::array{std::move(hook)}}};
    if (is_about_tools(row)) group["matcher"] = all;
    out[row.name] = json::array{std::move(group)};
  }
  return out;
}

json::object for_copilot(const std::string& program, const HookSet& set = kOfARun) {
  json::object out;
  for (const EventRow& row : dialect_of(Agent::copilot).events) {
    if (!set.is_wanted(row)) continue;
    out[row.name] = json::array{json::object{{"type", "command"},
                                             {"bash", set.command(Agent::copilot, row, program)},
                                             {"timeoutSec", kTimeout}}};
  }
  return {{"version", 1}, {"hooks", std::move(out)}};
}

json::object for_claude(const std::string& program, const HookSet& set) {
  // An unknown key is ignored by versions that do not have it.
  return for_groups(Agent::claude, program, {{"timeout", kTimeout}, {"onFailure", "block"}}, "*",
                    set);
}

json::object for_gemini(const std::string& program, const HookSet& set) {
  return for_groups(Agent::gemini, program, {{"name", "ringwall"}, {"timeout", kTimeout * 1000}},
                    ".*", set);
}

// Without a time limit of ours: sources disagree whether it is in seconds or thousandths.
json::object for_cursor(const std::string& program) {
  json::object out;
  for (const EventRow& row : dialect_of(Agent::cursor).events) {
    if (!is_wanted(row)) continue;
    out[row.name] = json::array{
        json::object{{"command", command_of(Agent::cursor, row, program)}, {"failClosed", true}}};
  }
  return {{"version", 1}, {"hooks", std::move(out)}};
}

std::string requirements(const std::string& program, const HookSet& set) {
  std::string out =
      "[hooks]\nmanaged_dir = " + json::serialize(json::string(path::parent(program))) + "\n";
  for (const EventRow& row : dialect_of(Agent::codex).events) {
    if (!set.is_wanted(row)) continue;
    std::string name(row.name);
    out += "\n[[hooks." + name + "]]\n";
    if (is_about_tools(row)) out += "matcher = \".*\"\n";
    out += "[[hooks." + name + ".hooks]]\ntype = \"command\"\ncommand = " +
           json::serialize(json::string(set.command(Agent::codex, row, program))) +
           "\ntimeout = " + std::to_string(kCodexTimeout) + "\n";
  }
  return out;
}

// One member of the outer object a line: for people.
std::string lay_out(const json::object& object, const std::string& indent = "") {
  std::string out = "{";
  for (const auto& [key, value] : object) {
    out += (out.size() > 1 ? ",\n" : "\n") + indent + "  " + json::serialize(key) + ": ";
    bool opens = value.is_object() && indent.size() < 2;
    out += opens ? lay_out(value.get_object(), indent + "  ") : json::serialize(value);
  }
  return out + "\n" + indent + "}";
}

}  // namespace

json::object claude_hooks(const std::string& program) { return for_claude(program, kOfARun); }

json::object gemini_hooks(const std::string& program) { return for_gemini(program, kOfARun); }

json::object walled_hooks(Agent agent, const std::string& program) {
  switch (agent) {
    case Agent::claude:
      return for_claude(program, kOutside);
    case Agent::codex:
      return for_groups(agent, program, {{"timeout", kTimeout}}, ".*", kOutside);
    case Agent::gemini:
      return for_gemini(program, kOutside);
    case Agent::copilot:
      return for_copilot(program, kOutside).at("hooks").get_object();
    case Agent::cursor:
      break;
  }
  return {};
}

std::string codex_requirements(const std::string& program) {
  return requirements(program, kOfARun);
}

std::string walled_requirements(const std::string& program) {
  return requirements(program, kOutside);
}

std::string hook_settings(Agent agent, const std::string& program) {
  switch (agent) {
    case Agent::claude:
      return lay_out({{"hooks", claude_hooks(program)}}) + "\n";
    case Agent::codex:
      return lay_out({{"hooks", for_groups(agent, program, {{"timeout", kCodexTimeout}}, ".*")}}) +
             "\n";
    case Agent::gemini:
      return lay_out({{"hooks", gemini_hooks(program)}}) + "\n";
    case Agent::copilot:
      return lay_out(for_copilot(program)) + "\n";
    case Agent::cursor:
      return lay_out(for_cursor(program)) + "\n";
  }
  return "";
}

std::string_view settings_file(Agent agent) {
  switch (agent) {
    case Agent::claude:
      return "~/.claude/settings.json";
    case Agent::codex:
      return "~/.codex/hooks.json";
    case Agent::gemini:
      return "~/.gemini/settings.json";
    case Agent::copilot:
      return "~/.copilot/hooks/ringwall.json";
    case Agent::cursor:
      return "~/.cursor/hooks.json";
  }
  return "";
}

}  // namespace ringwall::gate
