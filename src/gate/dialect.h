// The hook languages of the agents: what each calls its events, its tools and their fields. One
// table per agent; nothing here decides.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace ringwall::gate {

enum class Agent : uint8_t { claude, codex, gemini, copilot, cursor };

// When the agent asks, whatever it calls that.
enum class Moment : uint8_t {
  before_tool,
  permission,  // the agent is about to ask its person
  after_tool,
  after_failure,
  subagent_start,
  subagent_stop,
  prompt,
  session_start,
  session_end,
  other,  // known, and nothing to judge
};

// How an event speaks, where an agent has more than one way.
enum class Style : uint8_t {
  own,
  claude,  // Copilot's events in capitals: Claude's tools and fields
  shell,   // Cursor's events about one kind of tool: the fields lie at the top
  mcp,
  read,
};

struct EventRow {
  std::string_view name;
  Moment moment;
  bool can_ask = false;  // its answer may be "ask": the agent has a prompt of its own
  Style style = Style::own;
};

// How a tool's fields become those of Claude's tool.
enum class Shape : uint8_t {
  plain,  // by renaming
  patch,  // a text that names files: a call for each
  paths,  // a list of files: a call for each
  urls,   // a prompt that names URLs: a call for each
  watch,  // a command or a URL whose output is followed
};

struct ToolRow {
  std::string_view theirs;
  std::string_view tool = {};     // Claude's name; empty: the same
  std::string_view renames = {};  // "path>file_path dir>path"
  Shape shape = Shape::plain;
};

struct Dialect {
  Agent agent;
  std::string_view name;
  std::span<const EventRow> events;
  std::span<const ToolRow> tools;
  // How long a hook may wait for the person outside where the agent has no prompt: below the time
  // after which the agent would go on. 0: not at all.
  int most_wait_seconds;
};

const Dialect& dialect_of(Agent agent);
std::span<const Dialect> dialects();
const Dialect* dialect_by_name(std::string_view name);  // null: no agent has that name

// Null: this agent has no such event, or tool.
const EventRow* find_event(const Dialect& dialect, std::string_view name);
const ToolRow* find_tool(const Dialect& dialect, std::string_view name);

}  // namespace ringwall::gate
