#include "mcp/unread.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/text.h"
#include "mcp/message.h"

namespace ringwall::mcp {
namespace {

namespace json = boost::json;

constexpr size_t kMostOfBatch = 256;
constexpr double kLargestWhole = 9007199254740992.0;  // 2^53
constexpr size_t kLongestNumber = 18;                 // digits

Unread look_at(const json::object& message) {
  Unread seen;
  if (const json::value* id = message.if_contains("id")) {
    const double* number = id->if_double();
    bool is_whole =
        number != nullptr && std::abs(*number) < kLargestWhole && std::trunc(*number) == *number;
    if (is_whole) {
      seen.id = static_cast<int64_t>(*number);
    } else if (is_id(*id)) {
      seen.id = *id;
    }
  }
  seen.asks = message.contains("method");
  seen.answers = message.contains("result") || message.contains("error");
  return seen;
}

// Of what is no JSON.
Unread guess(std::string_view line) {
  auto names = [&](std::string_view key) { return line.find(key) != line.npos; };
  return {guess_id(line), names("\"method\""), names("\"result\"") || names("\"error\"")};
}

}  // namespace

std::vector<Unread> look_at_unread(std::string_view line) {
  json::parse_options options;
  options.max_depth = 64;
  boost::system::error_code failed;
  json::value value = json::parse(json::string_view(line.data(), line.size()), failed, {}, options);
  if (failed) {
    if (!text::trim(line).starts_with('{')) return {};
    return {guess(line)};
  }
  std::vector<Unread> seen;
  if (const json::object* message = value.if_object()) {
    seen.push_back(look_at(*message));
  } else if (const json::array* batch = value.if_array()) {
    for (const json::value& entry : *batch) {
      if (entry.is_object() && seen.size() < kMostOfBatch)
        seen.push_back(look_at(entry.get_object()));
    }
  }
  return seen;
}

std::vector<json::value> spellings_of(const json::value& id) {
  if (id.is_int64() || id.is_uint64()) return {json::string(json::serialize(id))};
  const json::string* text = id.if_string();
  bool is_number = text != nullptr && !text->empty() && text->size() <= kLongestNumber &&
                   std::ranges::all_of(*text, [](char c) { return c >= '0' && c <= '9'; });
  if (!is_number) return {};
  return {json::value(static_cast<int64_t>(std::stoll(std::string(*text))))};
}

}  // namespace ringwall::mcp
