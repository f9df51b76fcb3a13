#include "gate/hook_event.h"

#include <algorithm>
#include <set>

#include "base/strict_json.h"
#include "base/text.h"
#include "gate/translate.h"

namespace ringwall::gate {
namespace {

namespace json = boost::json;

Result<std::string> text_of(const json::object& payload, std::string_view key) {
  const json::value* value = payload.if_contains(key);
  if (value == nullptr || value->is_null()) return std::string();
  if (!value->is_string()) return fail(std::string(key) + " is no text");
  return std::string(value->get_string());
}

// Cursor names no folder where the workspace is meant.
Result<std::string> folder_of(const json::object& payload) {
  TRY_ASSIGN(std::string folder, text_of(payload, "cwd"));
  const json::value* roots = payload.if_contains("workspace_roots");
  if (folder.empty() && roots != nullptr && roots->is_array() && !roots->get_array().empty() &&
      roots->get_array()[0].is_string())
    folder = std::string(roots->get_array()[0].get_string());
  return folder;
}

// Fields as an object, or as the text of one.
Result<json::object> input_of(const json::object& payload, std::string_view key) {
  const json::value* value = payload.if_contains(key);
  if (value == nullptr) return fail("has no " + std::string(key));
  if (value->is_object()) return value->get_object();
  if (!value->is_string()) return fail(std::string(key) + " is no object");
  auto parsed = strict_json::parse_object(value->get_string());
  if (!parsed) parsed.error().what.insert(0, std::string(key) + " ");
  return parsed;
}

struct NamedInput {
  std::string tool;
  json::object input;
};

// Where an event keeps the tool and its fields.
Result<NamedInput> named_input(const Dialect& dialect, const EventRow& row,
                               const json::object& payload) {
  NamedInput out;
  if (row.style == Style::shell || row.style == Style::read) {
    bool shell = row.style == Style::shell;
    std::string_view field = shell ? "command" : "file_path";
    TRY_ASSIGN(std::string value, text_of(payload, field));
    return NamedInput{shell ? "Shell" : "Read", {{field, value}}};
  }
  bool camel = dialect.agent == Agent::copilot && row.style == Style::own;
  TRY_ASSIGN(out.tool, text_of(payload, camel ? "toolName" : "tool_name"));
  TRY_ASSIGN(out.input, input_of(payload, camel ? "toolArgs" : "tool_input"));
  if (row.style == Style::mcp) out.tool = "MCP:" + out.tool;
  const json::value* server = payload.if_contains("mcp_context");
  if (dialect.agent == Agent::gemini && server != nullptr && server->is_object()) {
    TRY_ASSIGN(std::string name, text_of(server->get_object(), "server_name"));
    TRY_ASSIGN(std::string tool, text_of(server->get_object(), "tool_name"));
    if (!name.empty() && !tool.empty()) out.tool = "mcp__" + name + "__" + tool;
  }
  return out;
}

// Beyond a name in a program: words for whoever reads them.
bool may_say_something(std::string_view key) {
  return !std::ranges::all_of(key, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// Every text below, also those inside a text that is JSON itself; the keys by themselves, so that
// what stands in several texts stays together.
void collect(const json::value& value, std::string& out, std::set<std::string>& keys,
             int depth = 0) {
  if (const auto* text = value.if_string()) {
    bool may_hold_more = depth < 2 && (text->starts_with('{') || text->starts_with('['));
    auto inner = may_hold_more ? strict_json::parse(*text) : std::unexpected(Error{});
    if (inner) return collect(*inner, out, keys, depth + 1);
    out += *text;
    out += '\n';
  } else if (const auto* list = value.if_array()) {
    for (const json::value& item : *list)
      collect(item, out, keys, depth);
  } else if (const auto* object = value.if_object()) {
    for (const auto& [key, item] : *object) {
      if (may_say_something(key)) keys.emplace(key);
      collect(item, out, keys, depth);
    }
  }
}

std::string result_of(const json::object& payload) {
  std::string out;
  std::set<std::string> keys;
  for (std::string_view key : {"tool_response", "tool_result", "toolResult", "tool_output",
                               "output", "result_json", "error", "error_message"}) {
    if (const json::value* value = payload.if_contains(key)) collect(*value, out, keys);
  }
  for (const std::string& key : keys)
    out.append("\n").append(key).append("\n");
  return out;
}

// How agents say that a tool has failed, where they have no event of its own for that.
bool says_failure(const json::object& answer) {
  for (std::string_view key : {"exit_code", "exitCode"}) {
    const json::value* status = answer.if_contains(key);
    if (status != nullptr && status->is_int64() && status->get_int64() != 0) return true;
  }
  for (std::string_view key : {"is_error", "isError"}) {
    const json::value* flag = answer.if_contains(key);
    if (flag != nullptr && flag->is_bool() && flag->get_bool()) return true;
  }
  const json::value* error = answer.if_contains("error");
  return error != nullptr && !error->is_null() &&
         !(error->is_string() && error->get_string().empty());
}

bool says_failure_in(const json::object& payload) {
  for (std::string_view key : {"tool_response", "tool_result", "toolResult", "tool_output"}) {
    const json::value* answer = payload.if_contains(key);
    if (answer != nullptr && answer->is_object() && says_failure(answer->get_object())) return true;
  }
  return false;
}

Result<const EventRow*> choose_event(const Dialect& dialect, std::string_view said,
                                     const json::object& payload) {
  TRY_ASSIGN(std::string named, text_of(payload, "hook_event_name"));
  if (!said.empty() && !named.empty() && said != named)
    return fail("is about the event " + text::quote(named) + ", not " + text::quote(said));
  std::string_view name = said.empty() ? std::string_view(named) : said;
  if (name.empty()) return fail("does not say which event it is about", "say it: --event NAME");
  const EventRow* row = find_event(dialect, name);
  if (row == nullptr)
    return fail("is about " + text::quote(name) + ", which is no event of " +
                std::string(dialect.name));
  return row;
}

}  // namespace

Result<HookEvent> read_hook(const Dialect& dialect, std::string_view event, std::string_view text) {
  TRY_ASSIGN(json::object payload, strict_json::parse_object(text, {kMostHookBytes, 64}));
  HookEvent out{.dialect = &dialect};
  TRY_ASSIGN(out.row, choose_event(dialect, event, payload));
  TRY_ASSIGN(out.folder, folder_of(payload));
  TRY_ASSIGN(out.transcript, text_of(payload, "transcript_path"));
  switch (out.row->moment) {
    case Moment::before_tool:
    case Moment::permission: {
      if (!out.folder.starts_with('/')) return fail("does not say in which folder the agent is");
      TRY_ASSIGN(NamedInput named, named_input(dialect, *out.row, payload));
      bool as_claude = out.row->style == Style::claude;
      out.tool = named.tool;
      out.whole = json::serialize(named.input);
      out.asks_again = dialect.agent == Agent::cursor && out.row->style == Style::own &&
                       (named.tool == "Shell" || named.tool.starts_with("MCP:"));
      TRY_ASSIGN(out.calls, translate(as_claude ? dialect_of(Agent::claude) : dialect, named.tool,
                                      std::move(named.input), out.folder));
      break;
    }
    case Moment::after_tool:
    case Moment::after_failure:
      // It has happened: a name that is missing keeps nobody from looking at the result.
      out.tool = text_of(payload, "tool_name").value_or("");
      if (out.tool.empty()) out.tool = text_of(payload, "toolName").value_or("");
      out.result = result_of(payload);
      out.has_failed = out.row->moment == Moment::after_failure || says_failure_in(payload);
      if (auto named = named_input(dialect, *out.row, payload))
        out.whole = json::serialize(named->input);
      break;
    case Moment::subagent_start:
    case Moment::subagent_stop:
      for (std::string_view key : {"agent_type", "subagent_type", "agentName", "agent_name"})
        if (out.subagent.empty()) out.subagent = text_of(payload, key).value_or("");
      break;
    default:
      break;
  }
  return out;
}

}  // namespace ringwall::gate
