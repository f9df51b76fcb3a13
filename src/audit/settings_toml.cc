#include <algorithm>

#include "audit/settings.h"
#include "policy/toml_library.h"
#include "policy/toml_text.h"

namespace ringwall::audit {
namespace {

// The library calls itself for each part of a key: one of a hundred thousand parts would use up the
// stack, also spread over lists and tables within each other. A key stands on one line, so that the
// dots of a line, but for those in its strings, are bounded. Strings over several lines are stepped
// over; what is no TOML is counted somehow, and refused by the library.
class KeyLengths {
 public:
  explicit KeyLengths(std::string_view text) : text_(text) {}

  // The first line that has too many; 0: none.
  size_t find_too_long() {
    size_t dots = 0;
    for (; at_ < text_.size(); at_++) {
      char c = text_[at_];
      if (c == '\n') {
        line_++;
        dots = 0;
      } else if (c == '#') {
        step_over_comment();
      } else if (c == '"' || c == '\'') {
        step_over_string(c);
      } else if (c == '.' && ++dots > kMostDots) {
        return line_;
      }
    }
    return 0;
  }

 private:
  static constexpr size_t kMostDots = 100;

  // To its last character. What the library takes for the end of a line ends it as well.
  void step_over_comment() {
    while (at_ + 1 < text_.size()) {
      std::string_view rest = text_.substr(at_ + 1);
      if (std::string_view("\n\r\v\f").contains(rest[0]) || rest.starts_with("\xc2\x85") ||
          rest.starts_with("\xe2\x80\xa8") || rest.starts_with("\xe2\x80\xa9"))
        return;
      at_++;
    }
  }

  // To the last character of the string that begins here.
  void step_over_string(char quote) {
    bool is_long = text_.substr(at_, 3) == std::string(3, quote);
    std::string end(is_long ? 3 : 1, quote);
    at_ += end.size();
    for (; at_ < text_.size(); at_++) {
      if (text_[at_] == '\n') line_++;
      if (text_[at_] == '\n' && !is_long) return;  // it has no end; what follows counts
      if (text_[at_] == '\\' && quote == '"') {
        at_++;
      } else if (text_.substr(at_, end.size()) == end) {
        at_ += end.size() - 1;
        // A string over several lines may end in up to two quotes of its own.
        for (int more = 0; is_long && more < 2 && text_.substr(at_ + 1).starts_with(quote); more++)
          at_++;
        return;
      }
    }
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t line_ = 1;
};

class TomlReader {
 public:
  explicit TomlReader(size_t most_values) : most_values_(most_values) {}

  Result<Setting> read(const toml::node& node, size_t depth) {
    if (depth > kMostSettingsDepth) return fail("it is nested too deeply");
    if (++values_ > most_values_) return fail("it holds too many values");
    Setting value;
    value.line = node.source().begin.line;
    if (const toml::table* table = node.as_table()) {
      value.kind = Setting::Kind::object;
      for (const auto& [key, member] : *table) {
        TRY_ASSIGN(Setting read_member, read(member, depth + 1));
        read_member.line = key.source().begin.line;
        value.members.emplace_back(std::string(key.str()), std::move(read_member));
      }
    } else if (const toml::array* list = node.as_array()) {
      value.kind = Setting::Kind::list;
      for (const toml::node& entry : *list) {
        TRY_ASSIGN(Setting member, read(entry, depth + 1));
        value.members.emplace_back("", std::move(member));
      }
    } else {
      read_word(node, value);
    }
    return value;
  }

 private:
  static void read_word(const toml::node& node, Setting& value) {
    if (const toml::value<std::string>* text = node.as_string()) {
      value.kind = Setting::Kind::text;
      value.text = text->get();
    } else if (const toml::value<bool>* boolean = node.as_boolean()) {
      value.kind = Setting::Kind::boolean;
      value.text = boolean->get() ? "true" : "false";
    } else if (const toml::value<int64_t>* number = node.as_integer()) {
      value.kind = Setting::Kind::number;
      value.text = std::to_string(number->get());
    }
  }

  size_t values_ = 0;
  size_t most_values_;
};

}  // namespace

Result<Setting> read_toml_settings(std::string_view text) { return read_toml_settings(text, {}); }

Result<Setting> read_toml_settings(std::string_view text, SettingsLimits limits) {
  if (text.size() > limits.bytes) return fail("it is too big to be settings");
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (!policy::is_utf8(text)) return fail("it is not UTF-8");
  if (size_t line = KeyLengths(text).find_too_long(); line > 0)
    return fail("line " + std::to_string(line) + ": a key of too many parts");
  toml::parse_result parsed = toml::parse(text);
  if (!parsed)
    return fail("line " + std::to_string(parsed.error().source().begin.line) + ": " +
                std::string(parsed.error().description()));
  return TomlReader(limits.values).read(parsed.table(), 0);
}

}  // namespace ringwall::audit
