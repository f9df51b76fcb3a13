// Fuzz target: what an agent sends to its hook. It is read or refused, every call has a tool and a
// folder, and what is answered is one JSON object or nothing.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/strict_json.h"
#include "gate/hook_event.h"
#include "gate/hook_reply.h"

using namespace ringwall;

namespace {

void check(bool holds) {
  if (!holds) abort();
}

void try_event(const gate::Dialect& dialect, const gate::EventRow& row, std::string_view text) {
  auto event = gate::read_hook(dialect, row.name, text);
  if (!event) return check(!event.error().what.empty());
  for (const gate::ToolCall& call : event->calls) {
    check(!call.tool.empty() && call.folder.starts_with('/'));
    if (call.tool == "Bash") check(call.input.at("command").is_string());
  }
  bool about_tool =
      row.moment == gate::Moment::before_tool || row.moment == gate::Moment::permission;
  check(about_tool != event->calls.empty());
  gate::HookReply said =
      gate::reply(dialect, row, {gate::Answer::deny, event->tool, event->result});
  check(said.out.empty() || strict_json::parse_object(said.out).has_value());
  check(said.status == 0 || !said.err.empty());
}

}  // namespace

// The first two bytes choose the agent and the event.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  const gate::Dialect& dialect = gate::dialects()[data[0] % gate::dialects().size()];
  const gate::EventRow& row = dialect.events[data[1] % dialect.events.size()];
  try_event(dialect, row, {reinterpret_cast<const char*>(data) + 2, size - 2});
  return 0;
}
