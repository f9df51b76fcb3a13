#include "mcp/cleaned.h"

#include <set>

#include "instructions/hidden_characters.h"

namespace ringwall::mcp {
namespace {

namespace json = boost::json;

void collect(const json::value& value, std::string& texts, std::set<std::string_view>& keys) {
  if (const json::string* text = value.if_string()) {
    texts += *text;
    texts += "\n\n";
  } else if (const json::array* list = value.if_array()) {
    for (const json::value& entry : *list)
      collect(entry, texts, keys);
  } else if (const json::object* object = value.if_object()) {
    for (const auto& member : *object) {
      keys.insert(member.key());
      collect(member.value(), texts, keys);
    }
  }
}

}  // namespace

bool clean(json::value& value) {
  if (json::string* text = value.if_string()) {
    *text = instructions::without_hidden(*text);
    return true;
  }
  bool keys_are_plain = true;
  if (json::array* list = value.if_array()) {
    for (json::value& entry : *list)
      keys_are_plain = clean(entry) && keys_are_plain;
  } else if (json::object* object = value.if_object()) {
    for (auto& member : *object) {
      std::string_view key = member.key();
      keys_are_plain =
          instructions::without_hidden(key) == key && clean(member.value()) && keys_are_plain;
    }
  }
  return keys_are_plain;
}

std::string texts_of(const json::value& value) {
  std::string texts;
  std::set<std::string_view> keys;
  collect(value, texts, keys);
  for (std::string_view key : keys)
    texts.append(key).append("\n\n");
  return texts;
}

}  // namespace ringwall::mcp
