#include "base/readable_json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace ringwall {
namespace {

namespace json = boost::json;

std::string blanks(size_t count) { return std::string(count, ' '); }

// As people write them: 0.5, and not 5E-1.
std::string plain_value(const json::value& value) {
  if (!value.is_double()) return json::serialize(value);
  char digits[512];
  auto [end, error] =
      std::to_chars(digits, std::end(digits), value.get_double(), std::chars_format::fixed);
  if (error != std::errc() || !std::isfinite(value.get_double())) return json::serialize(value);
  std::string out(digits, end);
  // One that is no whole number stays such a one.
  return out.find('.') == out.npos ? out + ".0" : out;
}

void print(const json::value& value, size_t indent, std::string& out) {
  const json::object* object = value.if_object();
  const json::array* list = value.if_array();
  bool is_flat = list != nullptr && std::ranges::all_of(*list, [](const json::value& entry) {
                   return !entry.is_object() && !entry.is_array();
                 });
  if ((object == nullptr || object->empty()) && (list == nullptr || list->empty())) {
    out += plain_value(value);
  } else if (is_flat) {
    for (const json::value& entry : *list)
      out += (&entry == &list->front() ? "[" : ", ") + plain_value(entry);
    out += "]";
  } else if (list != nullptr) {
    for (const json::value& entry : *list) {
      out += (&entry == &list->front() ? "[\n" : ",\n") + blanks(indent + 2);
      print(entry, indent + 2, out);
    }
    out += "\n" + blanks(indent) + "]";
  } else {
    bool first = true;
    for (const auto& member : *object) {
      out += (std::exchange(first, false) ? "{\n" : ",\n") + blanks(indent + 2) +
             json::serialize(json::value(member.key())) + ": ";
      print(member.value(), indent + 2, out);
    }
    out += "\n" + blanks(indent) + "}";
  }
}

}  // namespace

std::string readable_json(const boost::json::value& value) {
  std::string out;
  print(value, 0, out);
  return out;
}

}  // namespace ringwall
