#include "gate/translate.h"

#include <algorithm>

#include "base/path.h"
#include "base/text.h"

namespace ringwall::gate {
namespace {

namespace json = boost::json;

constexpr size_t kMostCalls = 512;  // that one call may become

// What Claude's tools cannot be without.
struct Needed {
  std::string_view tool;
  std::string_view field;
};
constexpr Needed kNeeded[] = {
    {"Bash", "command"},
    {"Read", "file_path"},
    {"Edit", "file_path"},
    {"Write", "file_path"},
    {"NotebookEdit", "notebook_path"},
    {"WebFetch", "url"},
};

// Fields that name one file or folder: made absolute as the agent does it.
constexpr std::string_view kPathFields[] = {"file_path", "notebook_path", "path"};

std::string absolute(std::string_view path, const std::string& folder) {
  if (path.starts_with('/') || path.starts_with('~')) return std::string(path);
  return path::join(folder, path);
}

bool holds_null(const json::value& value) {
  if (const auto* text = value.if_string()) return text->find('\0') != json::string::npos;
  if (const auto* list = value.if_array()) return std::ranges::any_of(*list, holds_null);
  if (const auto* object = value.if_object()) {
    return std::ranges::any_of(*object, [](const auto& member) {
      return member.key().find('\0') != json::string_view::npos || holds_null(member.value());
    });
  }
  return false;
}

Status rename_fields(json::object& input, std::string_view renames) {
  for (std::string_view pair : text::split_in_place(renames, ' ')) {
    size_t arrow = pair.find('>');
    if (arrow == std::string_view::npos) continue;
    json::value* theirs = input.if_contains(pair.substr(0, arrow));
    if (theirs == nullptr) continue;
    // Which of the two the agent would take is not known.
    std::string_view ours = pair.substr(arrow + 1);
    if (input.contains(ours)) return fail("names " + std::string(ours) + " twice");
    json::value value = std::move(*theirs);
    input.erase(pair.substr(0, arrow));
    input[ours] = std::move(value);
  }
  return {};
}

Status check_fields(ToolCall& call) {
  for (const Needed& needed : kNeeded) {
    if (needed.tool != call.tool) continue;
    const json::value* value = call.input.if_contains(needed.field);
    if (value == nullptr || !value->is_string() || value->get_string().empty())
      return fail(call.tool + " without " + std::string(needed.field));
  }
  for (std::string_view field : kPathFields) {
    json::value* value = call.input.if_contains(field);
    if (value == nullptr || !call.known || call.tool.starts_with("mcp__")) continue;
    if (value->is_null()) continue;
    if (!value->is_string()) return fail(call.tool + ": " + std::string(field) + " is no text");
    *value = absolute(value->get_string(), call.folder);
  }
  return {};
}

// mcp__server__tool, as each agent spells it.
std::string mcp_name(const Dialect& dialect, std::string_view tool) {
  if (tool.starts_with("mcp__")) return std::string(tool);
  if (dialect.agent == Agent::cursor && tool.starts_with("MCP:"))
    return "mcp__cursor__" + std::string(tool.substr(4));
  size_t end = tool.find('_', 4);
  if (dialect.agent == Agent::gemini && tool.starts_with("mcp_") && end != std::string_view::npos)
    return "mcp__" + std::string(tool.substr(4, end - 4)) + "__" +
           std::string(tool.substr(end + 1));
  return {};
}

// Where a command of this call runs, if the call says so.
Result<std::string> find_folder(const json::object& input, const std::string& folder) {
  for (std::string_view field : {"dir_path", "directory", "working_directory", "workdir", "cwd"}) {
    const json::value* value = input.if_contains(field);
    if (value == nullptr || value->is_null()) continue;
    if (!value->is_string()) return fail(std::string(field) + " is no text");
    if (!value->get_string().empty()) return absolute(value->get_string(), folder);
  }
  return folder;
}

Result<std::vector<ToolCall>> split_patch(const json::object& input, const std::string& folder) {
  for (std::string_view field : {"command", "input", "patch"}) {
    const json::value* value = input.if_contains(field);
    if (value != nullptr && value->is_string()) return read_patch(value->get_string(), folder);
  }
  return fail("a patch without its text");
}

Result<std::vector<ToolCall>> split_paths(const json::object& input, const std::string& folder) {
  const json::value* files = input.if_contains("files");
  if (files == nullptr || !files->is_array() || files->get_array().empty())
    return fail("a list of files that is none");
  if (files->get_array().size() > kMostCalls) return fail("names too many files");
  std::vector<ToolCall> calls;
  for (const json::value& file : files->get_array()) {
    if (!file.is_string()) return fail("a list of files with something else in it");
    calls.push_back({"Read", true, {{"file_path", absolute(file.get_string(), folder)}}, folder});
  }
  return calls;
}

bool ends_url(char letter) {
  return static_cast<unsigned char>(letter) <= ' ' ||
         std::string_view("\"'<>`,;)]}").find(letter) != std::string_view::npos;
}

Result<std::vector<ToolCall>> split_urls(const json::object& input, const std::string& folder) {
  std::vector<ToolCall> calls;
  for (const auto& [key, value] : input) {
    if (!value.is_string()) continue;
    std::string_view text = value.get_string();
    std::string small = text::in_small_letters(text);
    for (size_t at = small.find("http"); at != std::string::npos; at = small.find("http", at + 1)) {
      std::string_view rest = std::string_view(small).substr(at);
      if (!rest.starts_with("http://") && !rest.starts_with("https://")) continue;
      size_t length = 0;
      while (at + length < text.size() && !ends_url(text[at + length]))
        length++;
      json::object url{{"url", text.substr(at, length)}, {std::string(key), value}};
      calls.push_back({"WebFetch", true, std::move(url), folder});
      if (calls.size() > kMostCalls) return fail("names too many URLs");
    }
  }
  if (calls.empty()) return fail("WebFetch without url");
  return calls;
}

// A program or a socket whose lines come back as they appear.
Result<std::vector<ToolCall>> split_watch(json::object input, const std::string& folder) {
  const json::value* socket = input.if_contains("ws");
  bool runs = input.contains("command");
  if (runs == (socket != nullptr)) return fail("watches neither a command nor a socket, or both");
  if (runs) return std::vector<ToolCall>{{"Bash", true, std::move(input), folder}};
  const json::value* url = socket->is_object() ? socket->get_object().if_contains("url") : nullptr;
  if (url == nullptr || !url->is_string()) return fail("watches a socket without url");
  return std::vector<ToolCall>{{"WebFetch", true, {{"url", *url}}, folder}};
}

Result<std::vector<ToolCall>> split(const ToolRow& row, json::object input,
                                    const std::string& folder) {
  switch (row.shape) {
    case Shape::patch:
      return split_patch(input, folder);
    case Shape::paths:
      return split_paths(input, folder);
    case Shape::urls:
      return split_urls(input, folder);
    case Shape::watch:
      return split_watch(std::move(input), folder);
    case Shape::plain:
      break;
  }
  std::string tool(row.tool.empty() ? row.theirs : row.tool);
  return std::vector<ToolCall>{{std::move(tool), true, std::move(input), folder}};
}

}  // namespace

Result<std::vector<ToolCall>> read_patch(std::string_view patch, const std::string& folder) {
  struct Mark {
    std::string_view words;
    std::string_view tool;
  };
  constexpr Mark kMarks[] = {{"*** Add File:", "Write"},
                             {"*** Update File:", "Edit"},
                             {"*** Delete File:", "Edit"},
                             {"*** Move to:", "Write"}};
  std::vector<ToolCall> calls;
  for (std::string_view line : text::split_in_place(patch, '\n')) {
    std::string_view trimmed = text::trim(line);
    for (const Mark& mark : kMarks) {
      if (!trimmed.starts_with(mark.words)) continue;
      std::string_view file = text::trim(trimmed.substr(mark.words.size()));
      if (file.empty()) return fail("a patch that names no file");
      json::object input{{"file_path", absolute(file, folder)}};
      calls.push_back({std::string(mark.tool), true, std::move(input), folder});
    }
    if (calls.size() > kMostCalls) return fail("a patch of too many files");
  }
  if (calls.empty()) return fail("a patch that names no file");
  return calls;
}

Result<std::vector<ToolCall>> translate(const Dialect& dialect, std::string_view tool,
                                        json::object input, const std::string& folder) {
  if (tool.empty()) return fail("a call without a tool");
  if (holds_null(input)) return fail("a text with a zero byte");
  if (std::string name = mcp_name(dialect, tool); !name.empty())
    return std::vector<ToolCall>{{std::move(name), true, std::move(input), folder}};
  const ToolRow* row = find_tool(dialect, tool);
  if (row == nullptr)
    return std::vector<ToolCall>{{std::string(tool), false, std::move(input), folder}};
  TRY(rename_fields(input, row->renames));
  // What Claude Code's search does if it is not told.
  if (dialect.agent == Agent::claude && tool == "Grep" && !input.contains("output_mode"))
    input["output_mode"] = "files_with_matches";
  std::string where = folder;
  if (row->tool == "Bash" || row->theirs == "Bash") {
    TRY_ASSIGN(where, find_folder(input, folder));
  }
  TRY_ASSIGN(std::vector<ToolCall> calls, split(*row, std::move(input), where));
  for (ToolCall& call : calls)
    TRY(check_fields(call));
  return calls;
}

}  // namespace ringwall::gate
