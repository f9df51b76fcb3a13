#include "mcp/message.h"

#include <algorithm>
#include <set>

#include "base/strict_json.h"
#include "base/text.h"

namespace ringwall::mcp {
namespace {

namespace json = boost::json;

constexpr size_t kLongestId = 256;
constexpr size_t kLongestMethod = 128;

// Some readers take "Name" for "name": no two keys may differ by that alone, and none may hold
// letters that only look alike.
Status check_keys(const json::object& object) {
  std::set<std::string> seen;
  for (const auto& member : object) {
    std::string_view key = member.key();
    bool is_ascii = std::ranges::all_of(key, [](char c) { return c >= 0x20 && c < 0x7f; });
    if (!is_ascii) return fail("has a key that is no plain ASCII");
    if (!seen.insert(text::in_small_letters(key)).second)
      return fail("has a key twice, in other letters");
  }
  return {};
}

Status take_method(const json::value& method, Message& message) {
  const json::string* name = method.if_string();
  if (name == nullptr || name->empty() || name->size() > kLongestMethod)
    return fail("has a method that is no name");
  message.method = std::string(*name);
  return {};
}

Status take_outcome(json::object& object, Message& message) {
  json::value* result = object.if_contains("result");
  json::value* error = object.if_contains("error");
  if ((result == nullptr) == (error == nullptr)) return fail("is neither a request nor an answer");
  message.kind = Message::Kind::response;
  message.failed = error != nullptr;
  if (error != nullptr && !error->is_object()) return fail("has an error that is no object");
  if (error != nullptr) message.error = std::move(error->get_object());
  if (result != nullptr) message.result = std::move(*result);
  const json::object* members = message.failed ? &message.error : message.result.if_object();
  if (members == nullptr) return fail("has a result that is no object");
  return check_keys(*members);
}

Status take_params(json::object& object, Message& message) {
  json::value* params = object.if_contains("params");
  if (params == nullptr) return {};
  if (!params->is_object()) return fail("has params that are no object");
  message.has_params = true;
  message.params = std::move(params->get_object());
  return check_keys(message.params);
}

}  // namespace

bool is_id(const json::value& id) {
  if (const json::string* text = id.if_string()) return text->size() <= kLongestId;
  return id.is_int64() || id.is_uint64();
}

std::string Message::line() const {
  json::object out{{"jsonrpc", "2.0"}};
  if (kind != Kind::notification) out["id"] = id;
  if (kind != Kind::response) {
    out["method"] = method;
    if (has_params) out["params"] = params;
  } else if (failed) {
    out["error"] = error;
  } else {
    out["result"] = result;
  }
  return json::serialize(out);
}

Result<Message> parse_message(std::string_view line) {
  TRY_ASSIGN(json::value value, strict_json::parse(line, {kMostLine, 64}));
  if (value.is_array()) return fail("is a batch");
  if (!value.is_object()) return fail("is no object");
  json::object& object = value.get_object();
  TRY(check_keys(object));
  const json::value* version = object.if_contains("jsonrpc");
  if (version == nullptr || !version->is_string() || version->get_string() != "2.0")
    return fail("is no JSON-RPC 2.0");
  Message message;
  const json::value* id = object.if_contains("id");
  if (id != nullptr && !is_id(*id)) return fail("has an id that is none");
  if (id != nullptr) message.id = *id;
  const json::value* method = object.if_contains("method");
  if (method == nullptr) {
    if (id == nullptr) return fail("has neither a method nor an id");
    TRY(take_outcome(object, message));
    return message;
  }
  if (object.contains("result") || object.contains("error"))
    return fail("is a request and an answer at once");
  message.kind = id == nullptr ? Message::Kind::notification : Message::Kind::request;
  TRY(take_method(*method, message));
  TRY(take_params(object, message));
  return message;
}

bool holds_nul(const json::value& value) {
  if (const json::string* text = value.if_string()) return text->find('\0') != json::string::npos;
  if (const json::array* list = value.if_array())
    return std::ranges::any_of(*list, [](const json::value& entry) { return holds_nul(entry); });
  if (const json::object* object = value.if_object()) {
    return std::ranges::any_of(*object, [](const json::key_value_pair& member) {
      return member.key().find('\0') != std::string_view::npos || holds_nul(member.value());
    });
  }
  return false;
}

json::value guess_id(std::string_view beginning) {
  size_t at = beginning.find("\"id\":");
  if (at == std::string_view::npos) return nullptr;
  std::string_view rest = text::trim(beginning.substr(at + 5));
  size_t end = rest.starts_with('"') ? rest.find('"', 1) + 1 : rest.find_first_not_of("0123456789");
  if (end == 0 || end > rest.size()) return nullptr;
  auto value = strict_json::parse(rest.substr(0, end));
  return value && is_id(*value) ? *value : json::value(nullptr);
}

std::string result_line(const json::value& id, json::value result) {
  return json::serialize(
      json::object{{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

std::string error_line(const json::value& id, int code, std::string_view text) {
  return json::serialize(
      json::object{{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", text}}}});
}

}  // namespace ringwall::mcp
