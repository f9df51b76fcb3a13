#include "policy/edit.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "policy/fields.h"
#include "policy/load.h"

namespace ringwall::policy {
namespace {

// Where line and column, both from 1, lie in the text.
std::optional<size_t> offset_of(std::string_view text, uint32_t line, uint32_t column) {
  size_t at = 0;
  for (uint32_t i = 1; i < line; i++) {
    size_t end = text.find('\n', at);
    if (end == std::string_view::npos) return std::nullopt;
    at = end + 1;
  }
  at += column - 1;
  return at < text.size() ? std::optional(at) : std::nullopt;
}

// Behind the string that begins at `at`; a string of one line, as nearly everybody writes them.
std::optional<size_t> end_of_string(std::string_view text, size_t at) {
  char quote = text[at];
  if ((quote != '"' && quote != '\'') || text.substr(at).starts_with("\"\"\"") ||
      text.substr(at).starts_with("'''"))
    return std::nullopt;
  for (size_t i = at + 1; i < text.size() && text[i] != '\n'; i++) {
    if (text[i] == '\\' && quote == '"') {
      i++;
    } else if (text[i] == quote) {
      return i + 1;
    }
  }
  return std::nullopt;
}

// Behind the line "[section]".
std::optional<size_t> end_of_header(std::string_view text, std::string_view section) {
  std::string header = "[" + std::string(section) + "]";
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    line = text::trim(line.substr(0, line.find('#')));
    if (line == header) return end;
    at = end + 1;
  }
  return std::nullopt;
}

std::string with_value(std::string_view toml, std::string_view section, std::string_view name,
                       const std::string& literal, const Setting* last) {
  std::string out(toml);
  if (last != nullptr) {
    auto at = offset_of(toml, last->origin.line, last->origin.column);
    auto end = at ? end_of_string(toml, *at) : std::nullopt;
    if (end) out.insert(*end, ", " + literal);
    return out;
  }
  std::string line = std::string(name) + " = [" + literal + "]";
  if (auto end = end_of_header(toml, section)) {
    out.insert(*end, "\n" + line);
    return out;
  }
  if (!out.empty() && !out.ends_with('\n')) out += '\n';
  return out + (out.empty() ? "" : "\n") + "[" + std::string(section) + "]\n" + line + "\n";
}

bool is_same(const Setting& one, const Setting& other) {
  return one.field == other.field && one.value == other.value;
}

}  // namespace

Result<std::string> add_to_list(std::string_view toml, std::string_view key, std::string_view value,
                                const std::string& file, const std::string& home) {
  size_t dot = key.rfind('.');
  std::string_view section = key.substr(0, dot), name = key.substr(dot + 1);
  const Field* field = field_by_key(key);
  std::string literal = "\"" + std::string(value) + "\"";
  std::string shown = text::quote(value) == value ? literal : text::quote(value);
  Error advice{"cannot add to " + text::quote(file), 0,
               "write it yourself: [" + std::string(section) + "] " + std::string(name) + " = [" +
                   shown + "]"};
  auto wanted = field != nullptr ? check_text(*field, value, {{Layer::person}, "/", home})
                                 : std::unexpected(Error{});
  bool is_plain = wanted && value.find_first_of("\"\\\n\r\t") == std::string_view::npos;
  LoadedText before = load_text(toml, Layer::person, file, home);
  if (!is_plain || !before.diagnostics.empty()) return std::unexpected(advice);
  const Setting* last = nullptr;
  for (const Setting& setting : before.text.settings) {
    if (setting.field != field) continue;
    if (is_same(setting, *wanted)) return std::string(toml);
    last = &setting;
  }
  std::string after = with_value(toml, section, name, literal, last);
  // Read again: it must say what it said, and the new value.
  LoadedText loaded = load_text(after, Layer::person, file, home);
  const auto& old = before.text.settings;
  const auto& now = loaded.text.settings;
  bool is_right =
      loaded.diagnostics.empty() && now.size() == old.size() + 1 &&
      std::ranges::all_of(old,
                          [&](const Setting& setting) {
                            return std::ranges::any_of(
                                now, [&](const Setting& other) { return is_same(setting, other); });
                          }) &&
      std::ranges::any_of(now, [&](const Setting& setting) { return is_same(setting, *wanted); });
  if (!is_right) return std::unexpected(advice);
  return after;
}

}  // namespace ringwall::policy
