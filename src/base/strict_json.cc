#include "base/strict_json.h"

#include <boost/json/basic_parser_impl.hpp>
#include <string>
#include <unordered_set>
#include <vector>

namespace ringwall::strict_json {
namespace {

namespace json = boost::json;
using Code = boost::system::error_code;

// Builds a value as the library's own handler does, and looks at every key on the way.
struct Handler {
  static constexpr size_t max_object_size = json::object::max_size();
  static constexpr size_t max_array_size = json::array::max_size();
  static constexpr size_t max_key_size = json::string::max_size();
  static constexpr size_t max_string_size = json::string::max_size();

  bool on_document_begin(Code&) { return true; }
  bool on_document_end(Code&) { return true; }
  bool on_object_begin(Code&) {
    keys.emplace_back();
    return true;
  }
  bool on_object_end(size_t count, Code&) {
    keys.pop_back();
    values.push_object(count);
    return true;
  }
  bool on_array_begin(Code&) { return true; }
  bool on_array_end(size_t count, Code&) {
    values.push_array(count);
    return true;
  }
  bool on_key_part(json::string_view part, size_t, Code&) {
    key += part;
    values.push_chars(part);
    return true;
  }
  bool on_key(json::string_view part, size_t, Code& error) {
    key += part;
    values.push_key(part);
    bool is_new = keys.back().insert(std::exchange(key, {})).second;
    if (!is_new) {
      stands_twice = true;
      error = json::make_error_code(json::error::syntax);
    }
    return is_new;
  }
  bool on_string_part(json::string_view part, size_t, Code&) {
    values.push_chars(part);
    return true;
  }
  bool on_string(json::string_view part, size_t, Code&) {
    values.push_string(part);
    return true;
  }
  bool on_number_part(json::string_view, Code&) { return true; }
  bool on_int64(int64_t number, json::string_view, Code&) {
    values.push_int64(number);
    return true;
  }
  bool on_uint64(uint64_t number, json::string_view, Code&) {
    values.push_uint64(number);
    return true;
  }
  bool on_double(double number, json::string_view, Code&) {
    values.push_double(number);
    return true;
  }
  bool on_bool(bool value, Code&) {
    values.push_bool(value);
    return true;
  }
  bool on_null(Code&) {
    values.push_null();
    return true;
  }
  bool on_comment_part(json::string_view, Code&) { return true; }
  bool on_comment(json::string_view, Code&) { return true; }

  json::value_stack values;
  std::string key;
  std::vector<std::unordered_set<std::string>> keys;  // of the objects that are open
  bool stands_twice = false;
};

}  // namespace

Result<json::value> parse(std::string_view text, const Limits& limits) {
  if (text.size() > limits.bytes)
    return fail("is longer than " + std::to_string(limits.bytes) + " bytes");
  json::parse_options options;
  options.max_depth = limits.depth;
  json::basic_parser<Handler> parser(options);
  Code error;
  parser.handler().values.reset();
  size_t taken = parser.write_some(false, text.data(), text.size(), error);
  if (parser.handler().stands_twice) return fail("has a key twice in one object");
  if (error == json::error::too_deep) return fail("is nested too deeply");
  if (error) return fail("is no JSON: " + error.message());
  if (taken != text.size()) return fail("has something behind its end");
  return parser.handler().values.release();
}

Result<json::object> parse_object(std::string_view text, const Limits& limits) {
  TRY_ASSIGN(json::value value, parse(text, limits));
  if (!value.is_object()) return fail("is no JSON object");
  return std::move(value.get_object());
}

}  // namespace ringwall::strict_json
