// The part of YAML that workflows and rc files are written in: mappings and lists by indentation,
// block texts, quotes, lists and mappings in brackets, anchors. What is written otherwise is an
// error: it must not pass in silence.
#include <algorithm>
#include <map>

#include "audit/settings.h"
#include "base/text.h"
#include "policy/toml_text.h"

namespace ringwall::audit {
namespace {

struct Line {
  size_t indent = 0;
  std::string_view text;  // without blanks at both ends, and without a comment
  std::string_view raw;   // as it is
  size_t number = 0;
};

// Where a comment begins, outside of quotes.
std::string_view without_comment(std::string_view text) {
  char quote = '\0';
  for (size_t i = 0; i < text.size(); i++) {
    char c = text[i];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'') {
      bool opens = i == 0 || std::string_view(" [{,:-").contains(text[i - 1]);
      if (opens) quote = c;
    } else if (c == '#' && (i == 0 || text[i - 1] == ' ' || text[i - 1] == '\t')) {
      return text.substr(0, i);
    }
  }
  return text;
}

std::vector<Line> split_lines(std::string_view text) {
  std::vector<Line> lines;
  size_t number = 0;
  for (std::string_view raw : text::split_in_place(text, '\n')) {
    number++;
    if (raw.ends_with('\r')) raw.remove_suffix(1);
    size_t indent = std::min(raw.find_first_not_of(' '), raw.size());
    lines.push_back({indent, text::trim(without_comment(raw.substr(indent))), raw, number});
  }
  return lines;
}

class YamlReader {
 public:
  YamlReader(std::string_view text, size_t most_values)
      : lines_(split_lines(text)), most_values_(most_values) {}

  Result<Setting> read() {
    skip_empty();
    if (at_ < lines_.size() && lines_[at_].text == "---") at_++;
    skip_empty();
    if (at_ >= lines_.size()) return Setting{.kind = Setting::Kind::object};
    TRY_ASSIGN(Setting top, read_block(lines_[at_].indent, 0));
    skip_empty();
    bool is_over = at_ >= lines_.size() || lines_[at_].text == "...";
    if (!is_over) return wrong("what follows cannot be read");
    return top;
  }

 private:
  std::unexpected<Error> wrong(const std::string& what) const {
    size_t number = at_ < lines_.size() ? lines_[at_].number : lines_.size();
    return fail("line " + std::to_string(number) + ": " + what);
  }

  void skip_empty() {
    while (at_ < lines_.size() && lines_[at_].text.empty())
      at_++;
  }
  static bool is_item(std::string_view text) { return text == "-" || text.starts_with("- "); }

  // Where the key of "key: value" ends; npos if it is none.
  static size_t find_colon(std::string_view text) {
    char quote = text.starts_with('"') || text.starts_with('\'') ? text[0] : '\0';
    size_t from = 0;
    if (quote != '\0') from = std::min(text.find(quote, 1), text.size());
    for (size_t at = text.find(':', from); at != std::string_view::npos;
         at = text.find(':', at + 1)) {
      if (at + 1 == text.size() || text[at + 1] == ' ') return at;
    }
    return std::string_view::npos;
  }

  Status enter(size_t depth) {
    if (depth > kMostSettingsDepth) return wrong("it is nested too deeply");
    if (++values_ > most_values_) return wrong("it holds too many values");
    return {};
  }

  Result<Setting> read_block(size_t indent, size_t depth) {
    TRY(enter(depth));
    Setting block;
    block.line = lines_[at_].number;
    const Line first = lines_[at_];
    bool is_list = is_item(first.text);
    bool is_flow = first.text.starts_with('{') || first.text.starts_with('[');
    bool is_alone = !is_list && find_colon(first.text) == std::string_view::npos;
    if (is_flow || is_alone) {
      at_++;
      return read_value(first.text, first.indent == 0 ? 0 : first.indent - 1, first, depth);
    }
    block.kind = is_list ? Setting::Kind::list : Setting::Kind::object;
    while (true) {
      skip_empty();
      if (at_ >= lines_.size() || lines_[at_].indent < indent) return block;
      if (lines_[at_].text == "---" || lines_[at_].text == "...") return block;
      if (is_item(lines_[at_].text) != is_list) return block;
      TRY(is_list ? read_item(block, depth) : read_member(block, depth));
    }
  }

  Status read_item(Setting& list, size_t depth) {
    Line& line = lines_[at_];
    std::string_view rest = text::trim(line.text.substr(1));
    if (rest.empty()) {
      size_t indent = line.indent;
      at_++;
      TRY_ASSIGN(Setting value, read_below(indent + 1, line.number, depth));
      list.members.emplace_back("", std::move(value));
      return {};
    }
    // What follows the dash is a block of its own, as far to the right as it stands.
    size_t moved = static_cast<size_t>(rest.data() - line.text.data());
    line.indent += moved;
    line.text = rest;
    size_t before = at_;
    size_t indent = line.indent;
    // An anchor before a mapping belongs to the mapping.
    bool is_text = std::string_view("|>&!*").contains(rest[0]);
    if (is_text) at_++;
    const Line own = line;
    Result<Setting> value =
        is_text ? read_value(rest, indent - 1, own, depth + 1) : read_block(indent, depth + 1);
    if (!value) return std::unexpected(value.error());
    if (at_ == before) return wrong("it cannot be read");
    list.members.emplace_back("", std::move(*value));
    return {};
  }

  Status read_member(Setting& object, size_t depth) {
    const Line line = lines_[at_];
    size_t colon = find_colon(line.text);
    bool is_odd = line.text.starts_with("? ") || line.text == "?";
    if (colon == std::string_view::npos || is_odd) return wrong("this is no form that is read");
    TRY_ASSIGN(std::string name, unquote(text::trim(line.text.substr(0, colon))));
    at_++;
    Result<Setting> value =
        read_value(text::trim(line.text.substr(colon + 1)), line.indent, line, depth);
    if (!value) return std::unexpected(value.error());
    value->line = line.number;
    if (++values_ > most_values_) return wrong("it holds too many values");
    // The members of another mapping, as if they stood here.
    if (name == "<<" && value->is_object()) {
      for (SettingMember& member : value->members)
        object.members.push_back(std::move(member));
      return {};
    }
    object.members.emplace_back(std::move(name), std::move(*value));
    return {};
  }

  // What stands behind a key, a dash or alone, and the lines that belong to it.
  Result<Setting> read_value(std::string_view rest, size_t indent, const Line& line, size_t depth) {
    TRY(enter(depth));
    std::string anchor;
    while (rest.starts_with('&') || rest.starts_with('!')) {
      size_t end = std::min(rest.find(' '), rest.size());
      if (rest[0] == '&') anchor = rest.substr(1, end - 1);
      rest = text::trim(rest.substr(end));
    }
    Result<Setting> value = Setting{};
    if (rest.starts_with('|') || rest.starts_with('>')) {
      value = read_block_text(indent, line.number);
    } else if (rest.empty()) {
      value = read_below(indent, line.number, depth);
    } else {
      value = read_plain(with_more_lines(rest, indent), line.number, depth + 1);
    }
    if (value && !anchor.empty()) anchors_[anchor] = *value;
    return value;
  }

  // Brackets go on until they are closed, other texts as long as lines stand further right.
  std::string with_more_lines(std::string_view rest, size_t indent) {
    std::string all(rest);
    bool is_flow = rest.starts_with('[') || (rest.starts_with('{') && !rest.starts_with("{{"));
    Brackets brackets;
    if (is_flow) brackets.take(rest);
    while (at_ < lines_.size()) {
      const Line& next = lines_[at_];
      bool goes_on = is_flow ? brackets.open > 0 : next.indent > indent && !next.text.empty();
      if (!goes_on) break;
      all += ' ';
      all += next.text;
      if (is_flow) brackets.take(next.text);
      at_++;
    }
    return all;
  }

  struct Brackets {
    size_t open = 0;
    char quote = '\0';

    void take(std::string_view text) {
      for (size_t i = 0; i < text.size(); i++) {
        char c = text[i];
        if (quote != '\0') {
          if (c == '\\' && quote == '"') i++;
          if (c == quote) quote = '\0';
        } else if (c == '"' || c == '\'') {
          quote = c;
        } else if (c == '[' || c == '{') {
          open++;
        } else if ((c == ']' || c == '}') && open > 0) {
          open--;
        }
      }
    }
  };

  // A copy of what an anchor names. Copies of copies grow fast, and deep.
  Result<Setting> copy_of(std::string_view name, size_t depth) {
    auto found = anchors_.find(std::string(name));
    if (found == anchors_.end()) return wrong("it names an anchor that there is not");
    TRY(count_copy(found->second, depth));
    return found->second;
  }
  Status count_copy(const Setting& value, size_t depth) {
    TRY(enter(depth));
    for (const auto& [name, member] : value.members)
      TRY(count_copy(member, depth + 1));
    return {};
  }

  // What is further to the right; a list may stand as far left as its key.
  Result<Setting> read_below(size_t indent, size_t number, size_t depth) {
    skip_empty();
    bool is_below =
        at_ < lines_.size() && (lines_[at_].indent > indent ||
                                (lines_[at_].indent == indent && is_item(lines_[at_].text)));
    if (!is_below) return Setting{.line = number};
    return read_block(lines_[at_].indent, depth + 1);
  }

  // The lines of a block text are taken as they are.
  Result<Setting> read_block_text(size_t indent, size_t number) {
    Setting value{.kind = Setting::Kind::text, .line = number};
    while (at_ < lines_.size()) {
      const Line& line = lines_[at_];
      bool is_blank = text::trim(line.raw).empty();
      if (!is_blank && line.indent <= indent) break;
      value.text += line.raw;
      value.text += '\n';
      at_++;
    }
    return value;
  }

  Result<std::string> unquote(std::string_view text) const {
    bool quoted = text.size() >= 2 && (text[0] == '"' || text[0] == '\'') && text.back() == text[0];
    if (!quoted) return std::string(text);
    if (text[0] == '"' && text.contains('\\')) {
      auto read = read_json_settings(text);  // most escapes are the same
      if (!read) return wrong("an escape that is not read");
      return read->text;
    }
    return std::string(text.substr(1, text.size() - 2));
  }

  Result<Setting> read_plain(std::string_view text, size_t number, size_t depth) {
    TRY(enter(depth));
    Setting value{.kind = Setting::Kind::text, .line = number};
    if (text.starts_with('*') && text.size() > 1 && text.find(' ') == std::string_view::npos &&
        text != "**")
      return copy_of(text.substr(1), depth);
    bool is_list = text.starts_with('[') && text.ends_with(']');
    bool is_object = text.starts_with('{') && text.ends_with('}') && !text.starts_with("{{");
    if (is_list || is_object) {
      value.kind = is_list ? Setting::Kind::list : Setting::Kind::object;
      TRY(read_flow(text.substr(1, text.size() - 2), value, depth));
      return value;
    }
    bool is_open = text.starts_with('[') || (text.starts_with('{') && !text.starts_with("{{"));
    if (is_open) return wrong("brackets that are not closed");
    TRY_ASSIGN(value.text, unquote(text));
    if (value.text == text && (text == "true" || text == "false"))
      value.kind = Setting::Kind::boolean;
    return value;
  }

  // The parts of a list or mapping on one line, at commas that stand in no brackets or quotes.
  Status read_flow(std::string_view inside, Setting& value, size_t depth) {
    size_t start = 0, open = 0;
    char quote = '\0';
    for (size_t i = 0; i <= inside.size(); i++) {
      char c = i < inside.size() ? inside[i] : ',';
      if (quote != '\0') {
        if (c == '\\' && quote == '"') i++;
        if (c == quote) quote = '\0';
        if (i < inside.size()) continue;
        i = inside.size();
      }
      if (c == '"' || c == '\'') quote = c;
      if (c == '[' || c == '{') open++;
      if ((c == ']' || c == '}') && open > 0) open--;
      bool ends = i == inside.size() || (c == ',' && open == 0);
      if (!ends) continue;
      TRY(add_flow_part(text::trim(inside.substr(start, i - start)), value, depth));
      start = i + 1;
    }
    return {};
  }

  Status add_flow_part(std::string_view part, Setting& value, size_t depth) {
    if (part.empty()) return {};
    std::string name;
    if (value.is_object()) {
      bool is_quoted = part[0] == '"' || part[0] == '\'';
      size_t from = is_quoted ? std::min(part.find(part[0], 1), part.size()) : 0;
      size_t colon = std::min(part.find(':', from), part.size());
      TRY_ASSIGN(name, unquote(text::trim(part.substr(0, colon))));
      part = text::trim(part.substr(std::min(colon + 1, part.size())));
    }
    TRY_ASSIGN(Setting member, read_plain(part, value.line, depth + 1));
    value.members.emplace_back(std::move(name), std::move(member));
    return {};
  }

  std::vector<Line> lines_;
  std::map<std::string, Setting> anchors_;
  size_t at_ = 0;
  size_t values_ = 0;
  size_t most_values_;
};

}  // namespace

Result<Setting> read_yaml_settings(std::string_view text) { return read_yaml_settings(text, {}); }

Result<Setting> read_yaml_settings(std::string_view text, SettingsLimits limits) {
  if (text.size() > limits.bytes) return fail("it is too big to be settings");
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (!policy::is_utf8(text)) return fail("it is not UTF-8");
  // JSON is YAML.
  std::string_view start = text::trim(text);
  if (start.starts_with('{') || start.starts_with('[')) {
    if (auto settings = read_json_settings(text, limits)) return settings;
  }
  return YamlReader(text, limits.values).read();
}

}  // namespace ringwall::audit
