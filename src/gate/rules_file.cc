#include "gate/rules_file.h"

#include <boost/json.hpp>

#include "base/strict_json.h"

namespace ringwall::gate {
namespace {

namespace json = boost::json;
using policy::Text;
using policy::Tools;

struct List {
  std::string_view name;
  std::vector<Text> Tools::*texts;
};
constexpr List kLists[] = {
    {"deny", &Tools::deny},   {"ask", &Tools::ask},           {"allow", &Tools::allow},
    {"packs", &Tools::packs}, {"no_packs", &Tools::no_packs},
};

json::array write_texts(const std::vector<Text>& texts) {
  json::array out;
  for (const Text& text : texts) {
    out.push_back(json::array{text.value, static_cast<unsigned>(text.origin.layer),
                              text.origin.place, text.origin.line, text.origin.column});
  }
  return out;
}

Result<Text> read_text(const json::value& value) {
  const json::array* row = value.if_array();
  bool fits = row != nullptr && row->size() == 5 && (*row)[0].is_string() && (*row)[1].is_int64() &&
              (*row)[2].is_string() && (*row)[3].is_int64() && (*row)[4].is_int64();
  int64_t layer = fits ? (*row)[1].get_int64() : -1;
  if (layer < 0 || layer > static_cast<int64_t>(policy::Layer::command_line))
    return fail("the rules of this run hold a row that is none");
  Text text;
  text.value = (*row)[0].get_string();
  text.origin = {static_cast<policy::Layer>(layer), std::string((*row)[2].get_string()),
                 static_cast<uint32_t>((*row)[3].get_int64()),
                 static_cast<uint32_t>((*row)[4].get_int64())};
  return text;
}

Result<std::string> read_path(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  if (value == nullptr || !value->is_string() || !value->get_string().starts_with('/'))
    return fail("the rules of this run name no " + std::string(key));
  return std::string(value->get_string());
}

}  // namespace

std::string write_rules(const RulesOfRun& rules) {
  json::object out{
      {"home", rules.home}, {"workspace", rules.workspace}, {"advised", rules.advised}};
  for (const List& list : kLists)
    out[list.name] = write_texts(rules.tools.*list.texts);
  return json::serialize(out) + "\n";
}

Result<RulesOfRun> read_rules(std::string_view text) {
  TRY_ASSIGN(json::object object, strict_json::parse_object(text));
  RulesOfRun rules;
  TRY_ASSIGN(rules.home, read_path(object, "home"));
  TRY_ASSIGN(rules.workspace, read_path(object, "workspace"));
  const json::value* advised = object.if_contains("advised");
  if (advised == nullptr || !advised->is_bool())
    return fail("the rules of this run do not say whether there is an advisor");
  rules.advised = advised->get_bool();
  for (const List& list : kLists) {
    const json::value* texts = object.if_contains(list.name);
    if (texts == nullptr || !texts->is_array())
      return fail("the rules of this run have no list " + std::string(list.name));
    std::vector<Text>& out = rules.tools.*list.texts;
    out.clear();
    for (const json::value& row : texts->get_array()) {
      TRY_ASSIGN(Text read, read_text(row));
      out.push_back(std::move(read));
    }
  }
  return rules;
}

}  // namespace ringwall::gate
