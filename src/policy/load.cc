#include "policy/load.h"

#include <algorithm>
#include <boost/json.hpp>

#include "base/path.h"
#include "base/text.h"
#include "policy/fields.h"
#include "policy/numbers.h"
#include "policy/text_shape.h"
#include "policy/toml_library.h"
#include "policy/values.h"

namespace ringwall::policy {
namespace {

constexpr size_t kMostMistakes = 100;

class Loader {
 public:
  Loader(LoadedText& out, const std::string& home) : out_(out), file_(out.text.file), home_(home) {}

  void load_section(std::string_view section, const toml::table& table) {
    for (const auto& [key, node] : table) {
      if (is_full()) return;
      std::string name = std::string(section) + "." + std::string(key.str());
      const toml::table* part = is_section(name) ? node.as_table() : nullptr;
      if (const Field* field = field_by_key(name)) {
        load_field(*field, node);
      } else if (part != nullptr) {
        load_section(name, *part);
      } else {
        report(key.source().begin, "unknown key " + text::quote(name), suggestion(name));
      }
    }
  }

  void load_top(const toml::table& table) {
    for (const auto& [key, node] : table) {
      if (is_full()) return;
      std::string name(key.str());
      if (name == "lock") {
        load_locks(key.source().begin, node);
      } else if (!is_section(name)) {
        report(key.source().begin, "unknown section " + text::quote(name), suggestion(name));
      } else if (const toml::table* section = node.as_table()) {
        load_section(name, *section);
      } else {
        report(key.source().begin, text::quote(name) + " is a section", "write [" + name + "]");
      }
    }
  }

  // Whoever has made so many mistakes reads no further, and neither do we.
  bool is_full() const { return out_.diagnostics.size() >= kMostMistakes; }

  void report(toml::source_position at, std::string what, std::string hint = {}) {
    out_.diagnostics.push_back(
        {text::quote(file_) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column),
         std::move(what), std::move(hint), at.line, at.column});
  }

 private:
  static bool is_section(const std::string& name) {
    for (const Field& field : fields()) {
      if (field.key.size() > name.size() && field.key.starts_with(name) &&
          field.key[name.size()] == '.')
        return true;
    }
    return false;
  }

  static std::string suggestion(const std::string& name) {
    std::vector<std::string> known;
    for (const Field& field : fields()) {
      known.emplace_back(field.key);
      known.emplace_back(field.key.substr(0, field.key.find('.')));
    }
    std::string nearest = text::nearest(name, known);
    return nearest.empty() ? "" : "did you mean " + nearest + "?";
  }

  Origin origin_at(toml::source_position at) const {
    return {out_.text.layer, file_, at.line, at.column};
  }

  void load_locks(toml::source_position at, const toml::node& node) {
    if (out_.text.layer != Layer::organisation) {
      return report(at, "lock can stand only in the organisation's policy",
                    "that is /etc/ringwall/policy.toml and /etc/ringwall/policy.d/");
    }
    const toml::array* list = node.as_array();
    if (list == nullptr) return report(at, "lock must be a list of keys, such as \"files.read\"");
    for (const toml::node& entry : *list) {
      if (is_full()) return;
      const auto* name = entry.as_string();
      toml::source_position place = entry.source().begin;
      if (name == nullptr) {
        report(place, "lock must be a list of keys, such as \"files.read\"");
      } else if (const Field* field = field_by_key(name->get())) {
        out_.text.locks.push_back({field, origin_at(place)});
      } else {
        report(place, "unknown key " + text::quote(name->get()), suggestion(name->get()));
      }
    }
  }

  // A number may stand with quotes or without; empty: it is neither.
  static std::string number_text(const toml::node& node) {
    if (const auto* text = node.as_string()) return text->get();
    if (const auto* whole = node.as_integer()) return std::to_string(whole->get());
    if (const auto* broken = node.as_floating_point()) {
      char text[32];
      snprintf(text, sizeof text, "%.6g", broken->get());
      return text;
    }
    return {};
  }

  void load_field(const Field& field, const toml::node& node) {
    Source source{origin_at(node.source().begin), path::parent(file_), home_};
    if (std::holds_alternative<SwitchOf>(field.member)) {
      if (const auto* value = node.as_boolean())
        return take(node, check_switch(field, value->get(), source));
      return report(node.source().begin, std::string(field.key) + " must be true or false");
    }
    if (std::holds_alternative<NumberOf>(field.member)) {
      std::string value = number_text(node);
      if (!value.empty()) return take(node, check_text(field, value, source));
      return report(node.source().begin, std::string(field.key) + " must be " +
                                             std::string(description_of(field.shape)));
    }
    if (std::holds_alternative<TextOf>(field.member)) {
      if (const auto* value = node.as_string())
        return take(node, check_text(field, value->get(), source));
      return report(node.source().begin, std::string(field.key) + " must be a text in quotes");
    }
    const toml::array* list = node.as_array();
    if (list == nullptr)
      return report(node.source().begin, std::string(field.key) + " must be a list of texts");
    if (list->size() > kMostEntries) {
      return report(node.source().begin, std::string(field.key) + " has " +
                                             std::to_string(list->size()) + " entries, and " +
                                             std::to_string(kMostEntries) + " are the most");
    }
    for (const toml::node& entry : *list) {
      if (is_full()) return;
      source.origin = origin_at(entry.source().begin);
      if (const auto* value = entry.as_string()) {
        take(entry, check_text(field, value->get(), source));
      } else if (entry.is_table() && field.shape == Shape::tool_rule) {
        load_rule(field, *entry.as_table(), source);
      } else {
        report(entry.source().begin, std::string(field.key) + " must be a list of texts");
      }
    }
  }

  // A rule that says more than what it fits.
  void load_rule(const Field& field, const toml::table& table, const Source& source) {
    boost::json::object rule;
    for (const auto& [key, node] : table) {
      const auto* value = node.as_string();
      if (value == nullptr)
        return report(node.source().begin, std::string(field.key) + " has a member that is no text",
                      "{rule = \"Bash(git push *)\", reason = \"…\"}");
      rule[key.str()] = value->get();
    }
    take(table, check_text(field, boost::json::serialize(rule), source));
  }

  void take(const toml::node& node, Result<Setting> setting) {
    if (setting) return out_.text.settings.push_back(std::move(*setting));
    report(node.source().begin, setting.error().what, setting.error().hint);
  }

  LoadedText& out_;
  const std::string& file_;
  const std::string& home_;
};

}  // namespace

LoadedText load_text(std::string_view toml, Layer layer, const std::string& file,
                     const std::string& home) {
  LoadedText out;
  out.text.layer = layer;
  out.text.file = file;
  out.text.only_narrows = layer == Layer::workspace;
  Loader loader(out, home);
  if (Misshape found = find_misshape(toml); found.what != nullptr) {
    loader.report({found.line, found.column}, std::string("the line ") + found.what, found.hint);
    return out;
  }
  toml::parse_result parsed = toml::parse(toml, file);
  if (!parsed) {
    loader.report(parsed.error().source().begin, std::string(parsed.error().description()));
  } else {
    loader.load_top(parsed.table());
  }
  // The table is sorted by key; people read from the top.
  auto place = [](const Diagnostic& d) { return std::pair(d.line, d.column); };
  std::stable_sort(out.diagnostics.begin(), out.diagnostics.end(),
                   [&](const auto& a, const auto& b) { return place(a) < place(b); });
  return out;
}

}  // namespace ringwall::policy
