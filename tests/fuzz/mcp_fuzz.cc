// Hostile lines between an agent and an MCP server: whatever they are, what passes is a message
// again, on one line, without anything hidden, and a denied tool is never listed or called.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "instructions/hidden_characters.h"
#include "mcp/filter.h"
#include "mcp/wrap_config.h"

using namespace ringwall;

namespace {

namespace json = boost::json;

mcp::FilterSettings settings(bool grants) {
  mcp::FilterSettings made;
  made.server = "s";
  made.workspace = "/w";
  made.sampling = made.elicitation = grants;
  made.judge = [](const gate::ToolCall& call) -> mcp::Verdict {
    if (call.tool == "mcp__s__denied") return {false, false, "rule", "no"};
    return {};
  };
  return made;
}

// One message, that says the same when it is read again.
mcp::Message check_line(const std::string& line) {
  if (line.find('\n') != std::string::npos) abort();
  auto message = mcp::parse_message(line);
  if (!message) {
    // Only an answer to what had no id.
    if (line.find("\"id\":null") == std::string::npos) abort();
    return {};
  }
  if (message->line() != line) abort();
  return std::move(*message);
}

void check_hidden(const json::value& value) {
  if (const json::string* text = value.if_string()) {
    if (instructions::without_hidden(*text) != *text) abort();
  } else if (const json::array* list = value.if_array()) {
    for (const json::value& entry : *list)
      check_hidden(entry);
  } else if (const json::object* object = value.if_object()) {
    for (const auto& member : *object)
      check_hidden(member.value());
  }
}

void check_from_server(const mcp::Filtered& out) {
  for (const std::string& line : out.to_agent) {
    mcp::Message message = check_line(line);
    check_hidden(message.result);
    check_hidden(message.params);
    const json::object* result = message.result.if_object();
    const json::value* tools = result == nullptr ? nullptr : result->if_contains("tools");
    if (tools == nullptr || !tools->is_array()) continue;
    for (const json::value& tool : tools->get_array()) {
      const json::value* name = tool.is_object() ? tool.get_object().if_contains("name") : nullptr;
      if (name != nullptr && name->is_string() && name->get_string() == "denied") abort();
    }
  }
}

void check_from_agent(const mcp::Filtered& out) {
  for (const std::string& line : out.to_server) {
    mcp::Message message = check_line(line);
    const json::value* name = message.params.if_contains("name");
    bool is_denied = message.method == "tools/call" && name != nullptr && name->is_string() &&
                     name->get_string() == "denied";
    if (is_denied) abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 1) return 0;
  std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] % 8 == 7) {
    // What was rewritten is not rewritten again.
    auto wrapped =
        data[0] % 16 == 7 ? mcp::wrap_json(text, "ringwall") : mcp::wrap_toml(text, "ringwall");
    if (wrapped && data[0] % 16 == 7) {
      auto again = mcp::wrap_json(wrapped->text, "ringwall");
      if (!again || again->text != wrapped->text) abort();
    }
    return 0;
  }
  mcp::Filter filter(settings(data[0] % 2 == 1));
  // A listing that is answered, so that short inputs get somewhere.
  filter.from_agent(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
  filter.from_agent(R"({"jsonrpc":"2.0","id":2,"method":"prompts/get"})");
  std::string notes;
  bool from_server = data[0] % 4 < 2;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    mcp::Filtered out = from_server ? filter.from_server(line) : filter.from_agent(line);
    from_server ? check_from_server(out) : check_from_agent(out);
    for (const mcp::PinNote& note : out.notes)
      notes += note.line();
    from_server = !from_server;
  }
  if (!mcp::Pins::read(notes, "")) abort();
  (void)filter.too_long(from_server, text);
  return 0;
}
