#include "policy/settings_file.h"

#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/stream_parser.hpp>

#include "base/text.h"
#include "policy/load.h"

namespace ringwall::policy {
namespace {

namespace json = boost::json;

constexpr size_t kMostMistakes = 20;
constexpr std::string_view kMark = "\xef\xbb\xbf";  // of UTF-8, by some editors

// Finds where a value stands in a text that is known to be JSON: a DOM has no places.
class Locator {
 public:
  explicit Locator(std::string_view text) : text_(text), at_(text.starts_with(kMark) ? 3 : 0) {}

  size_t find(const std::vector<std::string>& way) {
    skip_space();
    for (const std::string& step : way) {
      if (!enter(step)) break;
    }
    return std::min(at_, text_.size());
  }

 private:
  char now() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n,:").find(text_[at_]) != text_.npos)
      at_++;
  }
  void skip_string() {
    for (at_++; at_ < text_.size() && text_[at_] != '"'; at_++) {
      if (text_[at_] == '\\') at_++;
    }
    at_++;
    skip_space();
  }
  void skip_value() {
    if (now() == '"') return skip_string();
    size_t depth = 0;
    do {
      char c = now();
      if (c == '"') {
        skip_string();
        continue;
      }
      if (c == '{' || c == '[') depth++;
      if (c == '}' || c == ']') {
        if (depth == 0) return;
        depth--;
      }
      at_++;
      if (depth == 0 && std::string_view(",}] \t\r\n").find(now()) != std::string_view::npos) break;
    } while (at_ < text_.size());
    skip_space();
  }

  // To the value of a key, the last one if it is there twice, or to an entry of a list.
  bool enter(const std::string& step) {
    bool is_list = now() == '[';
    if (!is_list && now() != '{') return false;
    at_++;
    skip_space();
    size_t found = std::string_view::npos;
    for (size_t number = 0; at_ < text_.size() && now() != ']' && now() != '}'; number++) {
      size_t key = at_;
      if (!is_list) skip_string();
      bool fits = is_list ? std::to_string(number) == step : is_key(key, step);
      if (fits) found = at_;
      skip_value();
    }
    if (found == std::string_view::npos) return false;
    at_ = found;
    return true;
  }
  bool is_key(size_t at, const std::string& step) const {
    json::error_code error;
    size_t end = at + 1;
    while (end < text_.size() && text_[end] != '"')
      end += text_[end] == '\\' ? 2 : 1;
    json::value key = json::parse(text_.substr(at, end + 1 - at), error);
    return !error && key.is_string() && key.as_string() == step;
  }

  std::string_view text_;
  size_t at_;
};

}  // namespace

SettingsFile::SettingsFile(std::string_view text, std::string file)
    : text_(text), file_(std::move(file)) {
  parse(text);
}

void SettingsFile::parse(std::string_view text) {
  if (text.size() > kMostSettings) return report_at(0, "the file is larger than 1 MB");
  if (text.starts_with(kMark)) text.remove_prefix(3);
  size_t before = text_.size() - text.size();
  json::error_code error;
  json::stream_parser parser;
  size_t read = parser.write_some(text.data(), text.size(), error);
  if (!error && read < text.size()) return report_at(before + read, "more follows the end");
  if (!error) parser.finish(error);
  if (error) {
    return report_at(before + read, "is not JSON: " + error.message(),
                     "comments and commas before a closing bracket are not JSON");
  }
  root_ = parser.release();
  if (!root_.is_object()) return report_at(before, "must be an object, { … }");
  if (root_.get_object().size() > kMostEntries) report_at(before, "has too many keys");
}

std::string SettingsFile::place_of(size_t offset) const {
  std::string_view before = text_.substr(0, offset);
  auto line = std::count(before.begin(), before.end(), '\n') + 1;
  size_t newline = before.rfind('\n');
  size_t column = newline == std::string_view::npos ? offset + 1 : offset - newline;
  return text::quote(file_) + ":" + std::to_string(line) + ":" + std::to_string(column);
}

void SettingsFile::report_at(size_t offset, std::string what, std::string hint) {
  if (mistakes_.size() < kMostMistakes)
    mistakes_.emplace(offset, Diagnostic{place_of(offset), std::move(what), std::move(hint)});
}

std::vector<Diagnostic> SettingsFile::mistakes() const {
  std::vector<Diagnostic> found;
  for (const auto& [offset, mistake] : mistakes_)
    found.push_back(mistake);
  return found;
}

void SettingsFile::report(const std::vector<std::string>& way, const std::string& what) {
  if (mistakes_.size() < kMostMistakes) report_at(Locator(text_).find(way), what);
}

Section::Section(SettingsFile& file)
    : file_(&file), object_(file.is_object() ? &file.root().get_object() : nullptr) {}

std::string Section::name_of(std::string_view key) const { return text::join(way_to(key), "."); }

std::vector<std::string> Section::way_to(std::string_view key) const {
  std::vector<std::string> way = way_;
  way.emplace_back(key);
  return way;
}

std::vector<std::string> Section::way_to(std::string_view key, size_t entry) const {
  std::vector<std::string> way = way_to(key);
  way.push_back(std::to_string(entry));
  return way;
}

void Section::misfit(const std::vector<std::string>& way, std::string_view wanted) {
  file_->report(way, text::escape(text::join(way, ".")) + " must be " + std::string(wanted));
}

const json::value* Section::find(std::string_view key) {
  asked_.emplace(key);
  if (object_ == nullptr) return nullptr;
  const json::value* value = object_->if_contains(key);
  return value == nullptr || value->is_null() ? nullptr : value;
}

bool Section::has(std::string_view key) { return find(key) != nullptr; }

std::optional<bool> Section::flag(std::string_view key) {
  const json::value* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (const bool* on = value->if_bool()) return *on;
  misfit(way_to(key), "true or false");
  return std::nullopt;
}

std::optional<std::string> Section::text(std::string_view key) {
  const json::value* value = find(key);
  if (value == nullptr) return std::nullopt;
  if (const json::string* text = value->if_string()) return std::string(*text);
  misfit(way_to(key), "a text in quotes");
  return std::nullopt;
}

const json::array* Section::find_list(std::string_view key) {
  const json::value* value = find(key);
  if (value == nullptr) return nullptr;
  const json::array* list = value->if_array();
  if (list == nullptr) misfit(way_to(key), "a list, [ … ]");
  if (list != nullptr && list->size() > kMostEntries) {
    misfit(way_to(key), "a list of at most " + std::to_string(kMostEntries) + " entries");
    return nullptr;
  }
  return list;
}

std::vector<std::string> Section::texts(std::string_view key) {
  std::vector<std::string> texts;
  const json::array* list = find_list(key);
  for (size_t i = 0; list != nullptr && i < list->size(); i++) {
    if (const json::string* text = (*list)[i].if_string()) {
      texts.emplace_back(*text);
    } else {
      misfit(way_to(key, i), "a text in quotes");
    }
  }
  return texts;
}

std::vector<ListedPath> Section::paths(std::string_view key) {
  std::vector<ListedPath> paths;
  const json::array* list = find_list(key);
  for (size_t i = 0; list != nullptr && i < list->size(); i++) {
    const json::value& entry = (*list)[i];
    if (const json::string* text = entry.if_string()) {
      paths.push_back({std::string(*text), false});
      continue;
    }
    Section listed(*file_, entry.if_object(), way_to(key, i));
    if (listed.object_ == nullptr || !listed.has("path")) {
      misfit(way_to(key, i), "a path in quotes, or an object with \"path\"");
      continue;
    }
    auto path = listed.text("path");
    bool is_literal = listed.flag("literal").value_or(false);
    if (path) paths.push_back({*path, is_literal});
  }
  return paths;
}

Section Section::section(std::string_view key) {
  const json::value* value = find(key);
  const json::object* object = value == nullptr ? nullptr : value->if_object();
  if (value != nullptr && object == nullptr) misfit(way_to(key), "an object, { … }");
  if (object != nullptr && object->size() > kMostEntries) {
    misfit(way_to(key), "an object of at most " + std::to_string(kMostEntries) + " keys");
    object = nullptr;
  }
  return {*file_, object, way_to(key)};
}

std::vector<Section> Section::sections(std::string_view key) {
  std::vector<Section> sections;
  const json::array* list = find_list(key);
  for (size_t i = 0; list != nullptr && i < list->size(); i++) {
    const json::object* object = (*list)[i].if_object();
    if (object == nullptr) misfit(way_to(key, i), "an object, { … }");
    if (object != nullptr) sections.push_back({*file_, object, way_to(key, i)});
  }
  return sections;
}

std::vector<std::string> Section::keys() const {
  std::vector<std::string> keys;
  if (object_ == nullptr) return keys;
  for (const auto& member : *object_)
    keys.emplace_back(member.key());
  return keys;
}

std::vector<std::string> Section::rest() const {
  std::vector<std::string> names;
  for (const std::string& key : keys()) {
    if (!asked_.contains(key)) names.push_back(name_of(key));
  }
  return names;
}

}  // namespace ringwall::policy
