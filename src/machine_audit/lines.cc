// Settings of one line each, as package managers and shells have them. Their forms differ; what
// matters here is which key says what, and where.
#include "base/text.h"
#include "machine_audit/scene.h"

namespace ringwall::machine_audit {
namespace {

constexpr size_t kMostLines = 100'000;

std::string_view without_quotes(std::string_view value) {
  bool quoted =
      value.size() >= 2 && (value[0] == '"' || value[0] == '\'') && value.back() == value[0];
  return quoted ? value.substr(1, value.size() - 2) : value;
}

// Behind a value; a # in the middle of a word, as in an address, belongs to it.
std::string_view without_comment(std::string_view value) {
  bool quoted = value.starts_with('"') || value.starts_with('\'');
  for (size_t at = quoted ? value.find(value[0], 1) : 0; at < value.size(); at++) {
    bool begins = (value[at] == '#' || value[at] == ';') &&
                  (at == 0 || value[at - 1] == ' ' || value[at - 1] == '\t');
    if (begins) return text::trim(value.substr(0, at));
  }
  return text::trim(value);
}

// Where the key ends. An address as a key ("//host/:_authToken=…") holds colons.
size_t end_of_key(std::string_view line) {
  size_t equals = line.find('=');
  if (equals != std::string_view::npos && line.substr(0, equals).find(' ') == line.npos)
    return equals;
  if (equals != std::string_view::npos &&
      text::trim(line.substr(0, equals)).find_first_of(" :\"") == std::string_view::npos)
    return equals;
  size_t colon = line.find(": ", line.starts_with(':') ? 1 : 0);
  if (colon == std::string_view::npos && line.ends_with(':')) colon = line.size() - 1;
  if (colon != std::string_view::npos) return colon;
  size_t blank = line.find_first_of(" \t");
  return blank != std::string_view::npos ? blank : equals;
}

}  // namespace

Setting read_line_settings(std::string_view text) {
  Setting top;
  top.kind = Setting::Kind::object;
  std::string section;
  size_t number = 0;
  for (size_t at = 0; at < text.size() && number < kMostLines;) {
    size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text::trim(text.substr(at, end - at));
    at = end + 1;
    number++;
    if (line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
    if (line.empty() || line[0] == '#' || line[0] == ';') continue;
    if (line[0] == '[' && line.ends_with(']')) {
      section = std::string(text::trim(line.substr(1, line.size() - 2))) + ".";
      continue;
    }
    if (line.starts_with("export ")) line = text::trim(line.substr(7));
    size_t key_end = std::min(end_of_key(line), line.size());
    std::string_view value = key_end < line.size() ? line.substr(key_end + 1) : "";
    Setting setting;
    setting.kind = Setting::Kind::text;
    setting.line = number;
    setting.text = without_quotes(without_comment(text::trim(value)));
    std::string_view key = without_quotes(text::trim(line.substr(0, key_end)));
    top.members.emplace_back(section + std::string(key), std::move(setting));
  }
  return top;
}

}  // namespace ringwall::machine_audit
