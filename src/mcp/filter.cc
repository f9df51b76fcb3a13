#include "mcp/filter.h"

#include <algorithm>

#include "base/text.h"
#include "instructions/hidden_characters.h"
#include "mcp/cleaned.h"
#include "mcp/unread.h"

namespace ringwall::mcp {
namespace {

namespace json = boost::json;

constexpr size_t kMostPending = 1024;
constexpr size_t kMostReports = 20;  // of one kind and tool
constexpr int kInvalidRequest = -32600;
constexpr int kUnknownMethod = -32601;
constexpr int kParseError = -32700;
constexpr int kRefused = -32001;

constexpr std::string_view kMeta = "io.modelcontextprotocol/";

// What an agent may ask of a server beside what is judged.
constexpr std::string_view kPlainMethods[] = {
    "initialize",
    "ping",
    "server/discover",
    "tools/list",
    "resources/list",
    "resources/templates/list",
    "resources/unsubscribe",
    "prompts/list",
    "logging/setLevel",
    "subscriptions/listen",
    "tasks/get",
    "tasks/list",
    "tasks/result",
    "tasks/cancel",
};

// What is judged like a call of a tool, under mcp__SERVER__METHOD.
constexpr std::string_view kJudgedMethods[] = {
    "resources/read",
    "resources/subscribe",
    "prompts/get",
    "completion/complete",
};

bool is_stateless(const json::object& params) {
  const json::value* meta = params.if_contains("_meta");
  const json::object* members = meta == nullptr ? nullptr : meta->if_object();
  return members != nullptr && members->contains(std::string(kMeta) + "protocolVersion");
}

void withhold(json::value* capabilities, bool sampling, bool elicitation) {
  json::object* members = capabilities == nullptr ? nullptr : capabilities->if_object();
  if (members == nullptr) return;
  if (!sampling) members->erase("sampling");
  if (!elicitation) members->erase("elicitation");
  // The filter answers for the roots, and they do not change.
  if (members->contains("roots")) (*members)["roots"] = json::object();
}

}  // namespace

void Filter::report(Filtered& out, Report::Kind kind, std::string tool, std::string what,
                    std::string rule) {
  std::string key = std::to_string(static_cast<int>(kind)) + tool;
  if (reported_.size() < kMostPending && ++reported_[key] > kMostReports) return;
  if (reported_.size() >= kMostPending && !reported_.contains(key)) return;
  out.reports.push_back({kind, std::move(tool), std::move(what), std::move(rule)});
}

Filtered Filter::from_agent(std::string_view line) {
  Filtered out;
  auto message = parse_message(line);
  if (!message) {
    refuse_line(line, message.error().what, out);
    return out;
  }
  bool may_hold_nul = line.find("\\u0000") != std::string_view::npos;
  if (may_hold_nul && (holds_nul(message->params) || holds_nul(message->result))) {
    if (message->kind == Message::Kind::request)
      out.to_agent.push_back(
          error_line(message->id, kInvalidRequest, "Ringwall: the message holds a NUL"));
    if (message->kind == Message::Kind::response && asked_.erase(message->key()) > 0)
      out.to_server.push_back(error_line(message->id, kRefused, "the answer holds a NUL"));
    report(out, Report::Kind::refused, message->method, "it holds a NUL");
    return out;
  }
  switch (message->kind) {
    case Message::Kind::request:
      take_request(*message, out);
      break;
    case Message::Kind::notification:
      take_agents_notification(*message, out);
      break;
    case Message::Kind::response:
      take_agents_answer(*message, out);
  }
  return out;
}

// An error for whoever waits: the agent for its requests, the server for its own.
void Filter::refuse_line(std::string_view line, const std::string& why, Filtered& out) {
  report(out, Report::Kind::dropped, "", "a message of the agent " + why);
  std::string told = "Ringwall: the message " + why;
  for (const Unread& unread : look_at_unread(line)) {
    std::string key = json::serialize(unread.id);
    bool is_answer = unread.answers && !unread.asks;
    if (is_answer && asked_.erase(key) > 0) {
      out.to_server.push_back(error_line(unread.id, kRefused, "the answer cannot be read"));
    } else if (!is_answer && !unread.id.is_null() && !pending_.contains(key)) {
      out.to_agent.push_back(error_line(unread.id, kInvalidRequest, told));
    }
  }
  if (out.to_agent.empty()) out.to_agent.push_back(error_line(nullptr, kParseError, told));
}

void Filter::take_request(Message& message, Filtered& out) {
  std::string key = message.key();
  if (pending_.contains(key)) {
    report(out, Report::Kind::dropped, message.method, "its id is in use already");
    return;
  }
  if (pending_.size() >= kMostPending) {
    out.to_agent.push_back(
        error_line(message.id, kRefused, "Ringwall: too many requests wait for an answer"));
    return;
  }
  Pending pending{message.method, "", is_stateless(message.params)};
  bool is_plain = std::ranges::find(kPlainMethods, message.method) != std::end(kPlainMethods);
  bool is_judged = message.method == "tools/call" ||
                   std::ranges::find(kJudgedMethods, message.method) != std::end(kJudgedMethods);
  if (!is_plain && !is_judged) {
    out.to_agent.push_back(error_line(message.id, kUnknownMethod,
                                      "Ringwall: this method is not known, and not passed"));
    report(out, Report::Kind::refused, message.method, "the method is not known");
    return;
  }
  if (message.params.contains("inputResponses") && !settings_.sampling && !settings_.elicitation) {
    out.to_agent.push_back(error_line(message.id, kRefused, "Ringwall: nothing was asked for"));
    report(out, Report::Kind::refused, message.method, "it answers what was not asked");
    return;
  }
  if (is_judged && !judge_call(message, pending, out)) return;
  withhold_capabilities(message);
  pending_[key] = std::move(pending);
  out.to_server.push_back(message.line());
}

bool Filter::judge_call(Message& message, Pending& pending, Filtered& out) {
  gate::ToolCall call;
  bool is_tool = message.method == "tools/call";
  const json::value* name = message.params.if_contains("name");
  if (is_tool && (name == nullptr || !name->is_string())) {
    out.to_agent.push_back(error_line(message.id, kInvalidRequest, "Ringwall: which tool?"));
    return false;
  }
  pending.tool = is_tool ? std::string(name->get_string()) : message.method;
  call.tool = "mcp__" + settings_.server + "__" + pending.tool;
  const json::value* arguments = message.params.if_contains("arguments");
  if (is_tool && arguments != nullptr && arguments->is_object()) {
    call.input = arguments->get_object();
  } else if (is_tool && arguments != nullptr) {
    out.to_agent.push_back(
        error_line(message.id, kInvalidRequest, "Ringwall: arguments must be an object"));
    return false;
  } else if (!is_tool) {
    call.input = message.params;
    call.input.erase("_meta");
  }
  Verdict verdict = settings_.judge(call);
  if (verdict.passes && is_tool) {
    if (blocked_.contains(pending.tool) || !settings_.pins.knows(pending.tool)) {
      bool is_listed = blocked_.contains(pending.tool);
      verdict = {false, false, "",
                 is_listed
                     ? "This tool is not approved: its description is new or has changed since "
                       "the person saw it."
                     : "The server has not listed this tool."};
    }
  }
  if (!verdict.passes) deny(message, pending, verdict, out);
  return verdict.passes;
}

// As an error of the tool, which the model sees.
void Filter::deny(const Message& message, const Pending& pending, const Verdict& verdict,
                  Filtered& out) {
  std::string told =
      verdict.told.empty() ? "This call was refused by the person's rules." : verdict.told;
  if (message.method == "tools/call") {
    json::object result{
        {"content", json::array{{{"type", "text"}, {"text", "Refused by Ringwall: " + told}}}},
        {"isError", true}};
    if (pending.is_stateless) result["resultType"] = "complete";
    out.to_agent.push_back(result_line(message.id, std::move(result)));
  } else {
    out.to_agent.push_back(error_line(message.id, kRefused, "Refused by Ringwall: " + told));
  }
  report(out, Report::Kind::refused, pending.tool,
         verdict.asks ? "it would have to be asked for" : told, verdict.rule);
}

// What is not granted is not offered: a server that asks all the same is refused.
void Filter::withhold_capabilities(Message& message) const {
  if (message.method == "initialize")
    withhold(message.params.if_contains("capabilities"), settings_.sampling, settings_.elicitation);
  json::value* meta = message.params.if_contains("_meta");
  json::object* members = meta == nullptr ? nullptr : meta->if_object();
  if (members == nullptr) return;
  withhold(members->if_contains(std::string(kMeta) + "clientCapabilities"), settings_.sampling,
           settings_.elicitation);
}

void Filter::take_agents_notification(const Message& message, Filtered& out) {
  if (!message.method.starts_with("notifications/")) {
    report(out, Report::Kind::dropped, message.method, "it is no notification");
    return;
  }
  // The roots are the filter's, and do not change.
  if (message.method == "notifications/roots/list_changed") return;
  if (message.method == "notifications/cancelled") {
    const json::value* id = message.params.if_contains("requestId");
    auto pending = id == nullptr ? pending_.end() : pending_.find(json::serialize(*id));
    if (pending != pending_.end()) pending->second.cancelled = true;
  }
  out.to_server.push_back(message.line());
}

void Filter::take_agents_answer(const Message& message, Filtered& out) {
  auto asked = asked_.find(message.key());
  if (asked == asked_.end()) {
    report(out, Report::Kind::dropped, "", "an answer of the agent that nobody asked for");
    return;
  }
  asked_.erase(asked);
  out.to_server.push_back(message.line());
}

Filtered Filter::too_long(bool is_agents, std::string_view beginning) {
  Filtered out;
  json::value id = guess_id(beginning);
  report(out, Report::Kind::dropped, "",
         std::string("a message of the ") + (is_agents ? "agent" : "server") +
             " that is longer than " + std::to_string(kMostLine >> 20) + " MiB");
  if (is_agents) {
    out.to_agent.push_back(error_line(id, kInvalidRequest, "Ringwall: the message is too long"));
    return out;
  }
  auto pending = id.is_null() ? pending_.end() : pending_.find(json::serialize(id));
  // With one alone there is no doubt whose answer it was.
  if (pending == pending_.end() && pending_.size() == 1) pending = pending_.begin();
  if (pending == pending_.end()) return out;
  out.to_agent.push_back(error_line(json::parse(pending->first), kRefused,
                                    "Ringwall: the server's answer is too long"));
  pending_.erase(pending);
  return out;
}

}  // namespace ringwall::mcp
