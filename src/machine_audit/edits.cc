// Changes of the smallest part of a text: what stands around it, comments and layout, stays. That
// the result says what it should is looked at once more by whoever applies it (fix_plan.h).
#include "base/text.h"
#include "machine_audit/scene.h"

namespace ringwall::machine_audit {
namespace {

struct Line {
  size_t begin = 0, end = 0;  // without its newline
};

std::optional<Line> find_line(std::string_view text, size_t number) {
  size_t at = 0;
  for (size_t i = 1; i < number; i++) {
    size_t end = text.find('\n', at);
    if (end == std::string_view::npos) return std::nullopt;
    at = end + 1;
  }
  return Line{at, std::min(text.find('\n', at), text.size())};
}

constexpr std::string_view kComment = "a comment stands beside it, and may be about it";
constexpr std::string_view kForm = "it is written in a form that --fix does not change";

// The value of "name = value" that stands alone on its line.
Edit set_toml_value(const MachineFile& document, const Setting& value, std::string_view name,
                    std::string_view literal) {
  auto line = find_line(document.text, value.line);
  if (!line) return no_edit(kForm);
  std::string_view text =
      std::string_view(document.text).substr(line->begin, line->end - line->begin);
  size_t key = text.find_first_not_of(" \t");
  if (key == text.npos || !text.substr(key).starts_with(name)) return no_edit(kForm);
  size_t equals = text.find_first_not_of(" \t", key + name.size());
  if (equals == text.npos || text[equals] != '=') return no_edit(kForm);
  size_t begin = text.find_first_not_of(" \t", equals + 1);
  if (begin == text.npos) return no_edit(kForm);
  size_t end = text.npos;
  if (text[begin] == '"' || text[begin] == '\'') {
    end = text.find(text[begin], begin + 1);
    if (end != text.npos) end++;
  } else if (value.kind == Setting::Kind::boolean) {
    end = begin + value.text.size();
  }
  if (end == text.npos || end > text.size()) return no_edit(kForm);
  std::string_view rest = text::trim(text.substr(end));
  if (!rest.empty() && rest[0] != '#') return no_edit(kForm);
  return TextEdit{line->begin + begin, line->begin + end, std::string(literal)};
}

// What parts a new first member from the one that was first: a line's end as the file has it, and
// its indent.
std::string indent_of(std::string_view text, size_t key) {
  size_t begin = key;
  while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t'))
    begin--;
  bool is_own_line = begin > 0 && text[begin - 1] == '\n';
  if (!is_own_line) return " ";
  std::string_view end = begin > 1 && text[begin - 2] == '\r' ? "\r\n" : "\n";
  return std::string(end) + std::string(text.substr(begin, key - begin));
}

// Any sign that begins one for some reader: more lines are left than need be, and no comment goes.
bool has_comment(std::string_view line) {
  char quote = 0;
  for (char c : line) {
    if (quote == 0 && (c == '#' || c == ';')) return true;
    if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    }
  }
  return false;
}

}  // namespace

Edit set_value(const MachineFile& document, const Setting& value, std::string_view name,
               std::string_view literal) {
  if (document.format == FileFormat::toml) return set_toml_value(document, value, name, literal);
  if (document.format != FileFormat::json || value.end <= value.begin) return no_edit(kForm);
  return TextEdit{value.begin, value.end, std::string(literal)};
}

// With the comma behind it, or the one before it if it is the last.
Edit remove_entry(const MachineFile& document, const Setting& list, size_t entry) {
  if (document.format != FileFormat::json || entry >= list.members.size()) return no_edit(kForm);
  std::string_view text = document.text;
  const Setting& value = list.members[entry].second;
  if (value.end <= value.begin) return no_edit(kForm);
  if (entry + 1 < list.members.size()) {
    size_t next = list.members[entry + 1].second.begin;
    std::string_view between = text.substr(value.end, next - value.end);
    // A comment between the two belongs to one of them.
    if (between.find_first_not_of(" \t\r\n,") != text.npos) return no_edit(kComment);
    return TextEdit{value.begin, next, ""};
  }
  size_t begin = entry > 0 ? list.members[entry - 1].second.end : list.begin + 1;
  size_t end = list.end - 1;
  std::string_view before = text.substr(begin, value.begin - begin);
  std::string_view behind = text.substr(value.end, end - value.end);
  bool is_plain = before.find_first_not_of(" \t\r\n,") == text.npos &&
                  behind.find_first_not_of(" \t\r\n,") == text.npos;
  if (!is_plain) return no_edit(kComment);
  size_t last = behind.find_last_not_of(" \t\r\n");
  return TextEdit{begin, last == text.npos ? value.end : value.end + last + 1, ""};
}

// As the first member, in the layout of the one that was first.
Edit add_member(const MachineFile& document, const Setting& object, std::string_view name,
                std::string_view literal) {
  bool is_plain = document.format == FileFormat::json && object.is_object() &&
                  object.end > object.begin && document.text[object.begin] == '{';
  if (!is_plain) return no_edit(kForm);
  std::string member = "\"" + std::string(name) + "\": " + std::string(literal);
  size_t at = object.begin + 1;
  if (object.members.empty()) return TextEdit{at, at, member};
  size_t key = document.text.find_first_not_of(" \t\r\n", at);
  if (key == std::string::npos || document.text[key] != '"') return no_edit(kComment);
  return TextEdit{key, key, member + "," + indent_of(document.text, key)};
}

Edit remove_line(const MachineFile& document, size_t line) {
  auto found = find_line(document.text, line);
  if (!found || found->begin >= document.text.size()) return no_edit(kForm);
  std::string_view text =
      std::string_view(document.text).substr(found->begin, found->end - found->begin);
  if (has_comment(text)) return no_edit(kComment);
  return TextEdit{found->begin, std::min(found->end + 1, document.text.size()), ""};
}

}  // namespace ringwall::machine_audit
