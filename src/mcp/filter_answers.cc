// The server's side of the filter.
#include <algorithm>

#include "base/text.h"
#include "instructions/hidden_characters.h"
#include "mcp/cleaned.h"
#include "mcp/filter.h"
#include "mcp/unread.h"

namespace ringwall::mcp {
namespace {

namespace json = boost::json;

constexpr size_t kMostTools = 512;
constexpr size_t kMostAsked = 64;
constexpr size_t kLongestName = 128;
constexpr size_t kLongestDefinition = 64 << 10;
constexpr int kRefused = -32001;
constexpr int kUnknownMethod = -32601;

bool is_tool_name(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.' || c == '/';
  });
}

std::string text_of(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : "";
}

std::string file_url(std::string_view path) {
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string url = "file://";
  for (char c : path) {
    auto byte = static_cast<unsigned char>(c);
    bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                 (byte >= '0' && byte <= '9') || c == '/' || c == '-' || c == '_' || c == '.' ||
                 c == '~';
    if (plain) {
      url += c;
    } else {
      url += {'%', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return url;
}

// Puts the warning where the model reads it first.
void add_warning(json::object& result, const std::string& method, const std::string& warning) {
  json::object said{{"type", "text"}, {"text", warning}};
  if (method == "tools/call") {
    json::value& content = result["content"];
    if (!content.is_array()) content = json::array();
    content.get_array().insert(content.get_array().begin(), said);
  } else if (method == "prompts/get") {
    json::value& messages = result["messages"];
    if (!messages.is_array()) messages = json::array();
    messages.get_array().insert(messages.get_array().begin(),
                                json::object{{"role", "user"}, {"content", said}});
  } else if (method == "resources/read") {
    json::value& contents = result["contents"];
    if (!contents.is_array()) contents = json::array();
    contents.get_array().insert(
        contents.get_array().begin(),
        json::object{{"uri", "ringwall:warning"}, {"mimeType", "text/plain"}, {"text", warning}});
  }
}

const instructions::Finding* heaviest(const std::vector<instructions::Finding>& findings) {
  auto found = std::ranges::max_element(findings, {}, &instructions::Finding::weight);
  return found == findings.end() ? nullptr : &*found;
}

}  // namespace

Filtered Filter::from_server(std::string_view line) {
  Filtered out;
  auto message = parse_message(line);
  if (!message) {
    report(out, Report::Kind::dropped, "", "a line of the server " + message.error().what);
    for (const Unread& unread : look_at_unread(line)) {
      if (unread.answers) give_up(unread.id, out);
    }
    return out;
  }
  if (message->kind == Message::Kind::request) {
    take_servers_request(*message, out);
  } else if (message->kind == Message::Kind::response) {
    take_answer(*message, out);
  } else if (message->method.starts_with("notifications/")) {
    take_notification(*message, out);
  } else {
    report(out, Report::Kind::dropped, message->method, "it is no notification");
  }
  return out;
}

// An answer cannot be passed on: an error in its place, so that the agent does not wait for ever.
void Filter::give_up(const json::value& id, Filtered& out) {
  auto pending = pending_.find(json::serialize(id));
  for (const json::value& other : spellings_of(id)) {
    if (pending == pending_.end()) pending = pending_.find(json::serialize(other));
  }
  // With one alone there is no doubt whose answer it was.
  if (id.is_null() && pending_.size() == 1) pending = pending_.begin();
  if (pending == pending_.end()) return;
  if (!pending->second.cancelled)
    out.to_agent.push_back(error_line(json::parse(pending->first), kRefused,
                                      "Ringwall: the server's answer cannot be read"));
  pending_.erase(pending);
}

// Log lines and progress reach the agent too.
void Filter::take_notification(Message& message, Filtered& out) {
  json::value params = std::move(message.params);
  auto findings = instructions::scan_result(texts_of(params));
  if (instructions::is_worth_telling(findings)) {
    report(out, Report::Kind::finding, message.method, "left out: " + heaviest(findings)->kind);
    return;
  }
  bool usable = clean(params);
  message.params = std::move(params.get_object());
  if (usable) out.to_agent.push_back(message.line());
}

bool Filter::may_ask(const std::string& method, const json::object& params) const {
  if (method == "sampling/createMessage") return settings_.sampling;
  // A page that the server names would be opened by the person: that is never granted.
  bool is_page = params.contains("url") || text_of(params, "mode") == "url";
  return method == "elicitation/create" && settings_.elicitation && !is_page;
}

void Filter::take_servers_request(Message& message, Filtered& out) {
  if (message.method == "ping") {
    out.to_server.push_back(result_line(message.id, json::object()));
    return;
  }
  if (message.method == "roots/list") {
    json::object root{{"uri", file_url(settings_.workspace)}, {"name", "workspace"}};
    out.to_server.push_back(result_line(message.id, json::object{{"roots", json::array{root}}}));
    return;
  }
  json::value params = std::move(message.params);
  bool usable = clean(params);
  message.params = std::move(params.get_object());
  bool granted = usable && may_ask(message.method, message.params) && asked_.size() < kMostAsked &&
                 !asked_.contains(message.key());
  if (!granted) {
    out.to_server.push_back(error_line(message.id, kUnknownMethod, "not granted"));
    report(out, Report::Kind::refused, message.method,
           "the server asked for it, and it is not granted");
    return;
  }
  asked_[message.key()] = message.method;
  out.to_agent.push_back(message.line());
}

void Filter::take_answer(Message& message, Filtered& out) {
  auto found = pending_.find(message.key());
  if (found == pending_.end()) {
    report(out, Report::Kind::dropped, "", "an answer of the server that nobody asked for");
    return give_up(message.id, out);
  }
  Pending pending = std::move(found->second);
  pending_.erase(found);
  if (pending.cancelled) return;
  if (message.failed) return pass_error(message, out);
  json::object& result = message.result.get_object();
  if (result.contains("inputRequests") && !take_input_requests(message, pending, out)) return;
  // What is hidden is looked for before it is taken away.
  if (pending.method == "tools/list") check_tools(message, out);
  if (pending.method == "prompts/list") check_listed(result, "prompts", out);
  if (pending.method == "resources/list") check_listed(result, "resources", out);
  if (pending.method == "resources/templates/list") check_listed(result, "resourceTemplates", out);
  if (pending.method == "initialize" || pending.method == "server/discover")
    check_instructions(result, out);
  bool brings_text = pending.method == "tools/call" || pending.method == "resources/read" ||
                     pending.method == "prompts/get" || pending.method == "tasks/result" ||
                     pending.method == "completion/complete";
  if (!brings_text) check_rest(result, pending.method, out);
  auto findings = brings_text ? instructions::scan_result(texts_of(message.result))
                              : std::vector<instructions::Finding>();
  if (!clean(message.result)) {
    out.to_agent.push_back(
        error_line(message.id, kRefused, "Ringwall: the answer hides characters in its keys"));
    report(out, Report::Kind::dropped, pending.method,
           "an answer that hides characters in its keys");
    return;
  }
  if (instructions::is_worth_telling(findings)) {
    const instructions::Finding* worst = heaviest(findings);
    std::string method = pending.method == "tasks/result" ? "tools/call" : pending.method;
    add_warning(result, method, instructions::warn_agent(findings, "this result"));
    size_t before = out.reports.size();
    report(out, Report::Kind::finding, pending.tool, worst->kind + ": " + worst->excerpt);
    if (out.reports.size() > before) out.reports.back().weight = worst->weight;
  }
  out.to_agent.push_back(message.line());
}

void Filter::pass_error(Message& message, Filtered& out) {
  json::value error = std::move(message.error);
  auto findings = instructions::scan_result(texts_of(error));
  bool usable = clean(error) && !instructions::is_worth_telling(findings);
  message.error = std::move(error.get_object());
  if (!usable) {
    message.error = {{"code", kRefused},
                     {"message", "Ringwall: an error of the server that looks like instructions"}};
    const instructions::Finding* worst = heaviest(findings);
    report(out, Report::Kind::finding, "error",
           worst == nullptr ? "hidden characters in keys" : worst->kind + ": " + worst->excerpt);
  }
  out.to_agent.push_back(message.line());
}

// The server needs something before it can answer: the same requests in the form without state.
bool Filter::take_input_requests(Message& message, const Pending& pending, Filtered& out) {
  const json::value& requests = message.result.get_object().at("inputRequests");
  bool granted = requests.is_object();
  std::string refused = "inputRequests";
  for (const auto& member : granted ? requests.get_object() : json::object()) {
    const json::object* request = member.value().if_object();
    const json::value* params = request == nullptr ? nullptr : request->if_contains("params");
    std::string method = request == nullptr ? "" : text_of(*request, "method");
    bool may = may_ask(
        method, params != nullptr && params->is_object() ? params->get_object() : json::object());
    if (!may) refused = method;
    granted = granted && may;
  }
  if (granted) return true;
  report(out, Report::Kind::refused, refused, "the server asked for it, and it is not granted");
  Verdict verdict{
      false, false, "",
      "The server asked for " + text::escape(refused) + ", which is not granted to it."};
  Message request;
  request.id = message.id;
  request.method = pending.method;
  deny(request, pending, verdict, out);
  return false;
}

void Filter::check_tools(Message& message, Filtered& out) {
  json::object& result = message.result.get_object();
  json::value* listed = result.if_contains("tools");
  json::array* tools = listed == nullptr ? nullptr : listed->if_array();
  if (tools == nullptr) {
    result["tools"] = json::array();
    return;
  }
  json::array shown;
  std::set<std::string> names;
  for (json::value& tool : *tools) {
    if (names.size() >= kMostTools) {
      report(out, Report::Kind::refused, "tools/list", "tools beyond the first 512 are left out");
      break;
    }
    if (tool.is_object() && may_show(tool.get_object(), names, out))
      shown.push_back(pinned_parts(tool.get_object()));
  }
  result["tools"] = std::move(shown);
}

bool Filter::may_show(const json::object& tool, std::set<std::string>& names, Filtered& out) {
  std::string name = text_of(tool, "name");
  if (!is_tool_name(name)) {
    report(out, Report::Kind::refused, "tools/list",
           "a tool's name is no name: " + text::quote(name.substr(0, 80)));
    return false;
  }
  if (!names.insert(text::in_small_letters(name)).second) {
    report(out, Report::Kind::refused, name, "the server lists it twice, maybe in other letters");
    return false;
  }
  Verdict verdict = settings_.judge({"mcp__" + settings_.server + "__" + name, true, {}, ""});
  if (!verdict.passes && !verdict.asks) return false;  // told when it is called
  return is_pinned(define(tool), out);
}

bool Filter::is_pinned(const Definition& definition, Filtered& out) {
  const std::string& name = definition.tool;
  Pins::State state = settings_.pins.look_at(definition);
  PinNote note{PinNote::Kind::first, definition, "", settings_.now};
  if (definition.text.size() > kLongestDefinition) {
    report(out, Report::Kind::refused, name, "its description is longer than 64 KiB");
    blocked_.insert(name);
    return false;
  }
  if (state == Pins::State::unknown) {
    auto findings = instructions::scan_result(texts_of(json::parse(definition.text)));
    if (instructions::is_worth_telling(findings)) {
      note.kind = PinNote::Kind::held;
      note.why = heaviest(findings)->kind;
    }
  } else if (state == Pins::State::changed) {
    note.kind = PinNote::Kind::changed;
  }
  bool passes = state == Pins::State::same ||
                (state == Pins::State::unknown && note.kind == PinNote::Kind::first);
  auto waits = settings_.pins.waiting().find(name);
  bool is_noted = state == Pins::State::same || state == Pins::State::held ||
                  (waits != settings_.pins.waiting().end() &&
                   waits->second.definition.digest == definition.digest);
  if (!is_noted) {
    settings_.pins.add(note);
    out.notes.push_back(note);
  }
  if (passes) {
    blocked_.erase(name);
    return true;
  }
  blocked_.insert(name);
  report(out, Report::Kind::waits, name,
         state == Pins::State::changed ? "its description has changed"
                                       : "its description looks like instructions");
  return false;
}

void Filter::check_instructions(json::object& result, Filtered& out) {
  const json::value* said = result.if_contains("instructions");
  if (said == nullptr) return;
  bool passes = said->is_string() && is_pinned(define_instructions(said->get_string()), out);
  if (!passes) result.erase("instructions");
}

// What stands beside lists and instructions, such as the server's own name and _meta. A server is
// known by its name: if that is left out, the one of the person's stands there.
void Filter::check_rest(json::object& result, const std::string& method, Filtered& out) {
  json::value* info = result.if_contains("serverInfo");
  if (info != nullptr && info->is_object()) {
    json::object kept;
    for (const char* key : {"name", "title", "version"}) {
      if (const json::value* value = info->get_object().if_contains(key)) kept[key] = *value;
    }
    *info = std::move(kept);
  }
  std::vector<std::string> left_out;
  for (const auto& member : result) {
    auto findings =
        instructions::scan_result(texts_of(json::object{{member.key(), member.value()}}));
    // Lists were looked at, each entry by itself; what the person approved in them stays.
    bool is_looked_at = member.key() == "tools" || member.key() == "instructions";
    if (is_looked_at || !instructions::is_worth_telling(findings)) continue;
    report(out, Report::Kind::finding, method, "left out: " + heaviest(findings)->kind);
    left_out.emplace_back(member.key());
  }
  for (const std::string& key : left_out)
    result.erase(key);
  if (std::ranges::find(left_out, "serverInfo") != left_out.end())
    result["serverInfo"] = {{"name", settings_.server}, {"version", "0"}};
}

// Of prompts and resources the descriptions reach the agent too.
void Filter::check_listed(json::object& result, const char* list, Filtered& out) {
  json::value* listed = result.if_contains(list);
  json::array* entries = listed == nullptr ? nullptr : listed->if_array();
  if (entries == nullptr) return;
  json::array shown;
  for (json::value& entry : *entries) {
    auto findings = instructions::scan_result(texts_of(entry));
    if (!instructions::is_worth_telling(findings)) {
      shown.push_back(std::move(entry));
      continue;
    }
    report(out, Report::Kind::finding, list, "left out: " + heaviest(findings)->kind);
  }
  *entries = std::move(shown);
}

}  // namespace ringwall::mcp
