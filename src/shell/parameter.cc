// ${…}: a variable with what is done to its value.
#include <algorithm>
#include <charconv>

#include "shell/expand.h"
#include "shell/value.h"

namespace ringwall::shell {
namespace {

constexpr size_t kNone = std::string_view::npos;

bool has_glob(std::string_view pattern) { return pattern.find_first_of("*?[\\") != kNone; }

// Whether the pattern, in which only * and ? are special, matches the whole text.
bool matches(std::string_view text, std::string_view pattern) {
  size_t at = 0, star = kNone, retry = 0, i = 0;
  while (i < text.size()) {
    if (at < pattern.size() &&
        (pattern[at] == '?' || (pattern[at] != '*' && pattern[at] == text[i]))) {
      at++, i++;
    } else if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      retry = i;
    } else if (star != kNone) {
      at = star + 1;
      i = ++retry;
    } else {
      return false;
    }
  }
  while (at < pattern.size() && pattern[at] == '*')
    at++;
  return at == pattern.size();
}

Word without_start(const std::string& text, std::string_view pattern, bool longest) {
  for (size_t i = 0; i <= text.size(); i++) {
    size_t length = longest ? text.size() - i : i;
    if (matches(std::string_view(text).substr(0, length), pattern))
      return literal_word(std::string_view(text).substr(length));
  }
  return literal_word(text);
}

Word without_end(const std::string& text, std::string_view pattern, bool longest) {
  for (size_t i = 0; i <= text.size(); i++) {
    size_t length = longest ? i : text.size() - i;
    if (matches(std::string_view(text).substr(length), pattern))
      return literal_word(std::string_view(text).substr(0, length));
  }
  return literal_word(text);
}

Word replaced(std::string text, std::string_view pattern, std::string_view by, bool all) {
  size_t at = 0;
  while (!pattern.empty() && (at = text.find(pattern, at)) != kNone) {
    text.replace(at, pattern.size(), by);
    at += by.size();
    if (!all || text.size() > 65536) break;
  }
  return literal_word(text);
}

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

Word in_other_case(std::string text, std::string_view operation) {
  bool up = operation[0] == '^', all = operation.size() > 1;
  for (size_t i = 0; i < text.size() && (all || i == 0); i++)
    text[i] = up ? upper(text[i]) : lower(text[i]);
  return literal_word(text);
}

bool read_number(std::string_view text, long& value) {
  while (text.starts_with(' '))
    text.remove_prefix(1);
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

// ${x:from:length}
Word slice(const std::string& text, std::string_view range) {
  size_t colon = range.find(':');
  long from = 0, length = static_cast<long>(text.size());
  if (!read_number(range.substr(0, colon), from)) return unknown_word();
  if (colon != kNone && !read_number(range.substr(colon + 1), length)) return unknown_word();
  auto size = static_cast<long>(text.size());
  if (from < 0) from += size;
  if (from < 0 || from > size) return literal_word("");
  long to = length < 0 ? size + length : (length > size - from ? size : from + length);
  if (to < from) return literal_word("");
  return literal_word(
      std::string_view(text).substr(static_cast<size_t>(from), static_cast<size_t>(to - from)));
}

}  // namespace

// One ${…}.
class ParameterReader {
 public:
  ParameterReader(Expander& expander, Range inside, bool in_quotes)
      : expander_(expander),
        inside_(inside),
        text_(expander.text_.substr(inside.from, inside.to - inside.from)),
        in_quotes_(in_quotes) {}

  std::vector<Word> read() {
    if (text_.starts_with('#') && text_.size() > 1) return {unknown_word()};  // a length
    bool indirect = text_.starts_with('!');
    if (indirect) text_.remove_prefix(1);
    if (!read_name()) return unknown();
    if (indirect && !follow()) return {unknown_word(true)};
    std::vector<Word> values = read_values();
    if (text_.empty()) return values;
    return apply(std::move(values));
  }

 private:
  std::vector<Word> unknown() {
    expander_.look_for_substitutions(inside_);
    return {unknown_word(true)};
  }

  Range rest_after(size_t length) const { return {inside_.to - text_.size() + length, inside_.to}; }

  bool read_name() {
    size_t length = length_of_name(text_);
    if (length == 0) {
      while (length < text_.size() && text_[length] >= '0' && text_[length] <= '9')
        length++;
    }
    if (length == 0 && !text_.empty() && std::string_view("@*?-$!").find(text_[0]) != kNone)
      length = 1;
    if (length == 0) return false;
    name_ = text_.substr(0, length);
    text_.remove_prefix(length);
    if (text_.starts_with('[')) {
      size_t end = text_.find(']');
      if (end == kNone) return false;
      subscript_ = text_.substr(1, end - 1);
      has_subscript_ = true;
      expander_.look_for_substitutions({rest_after(1).from, rest_after(end).from});
      text_.remove_prefix(end + 1);
    }
    return true;
  }

  // ${!x}: the variable whose name is the value of x.
  bool follow() {
    if (has_subscript_ || !text_.empty()) return false;
    std::vector<Word> names = expander_.values_of(name_, true);
    if (names.size() != 1 || !names[0].literal() || !is_name(names[0].text)) return false;
    name_ = names[0].text;
    return true;
  }

  const Variable* variable() const { return expander_.state_.find(name_); }

  std::vector<Word> read_values() {
    if (!has_subscript_) return expander_.values_of(name_, in_quotes_);
    const Variable* array = variable();
    if (array == nullptr) return {unknown_word(true)};
    size_t choice = expander_.choices_.choose(name_, array->may_be.size());
    const Value& value = array->may_be[std::min(choice, array->may_be.size() - 1)];
    if (subscript_ == "@" || (subscript_ == "*" && !in_quotes_)) return value.items;
    if (subscript_ == "*") return {joined(value.items)};
    long index = 0;
    if (!read_number(subscript_, index)) return {unknown_word()};
    if (index < 0) index += static_cast<long>(value.items.size());
    bool is_there = index >= 0 && index < static_cast<long>(value.items.size());
    return {is_there ? value.items[static_cast<size_t>(index)] : literal_word("")};
  }

  std::vector<Word> apply(std::vector<Word> values) {
    bool colon = text_.starts_with(':') && text_.size() > 1;
    char operation = text_[colon ? 1 : 0];
    if (operation != ':' && std::string_view("-=+?").find(operation) != kNone)
      return apply_default(std::move(values), operation, colon ? 2 : 1);
    expander_.look_for_substitutions(rest_after(0));
    if (text_ == "@P")
      expander_.substituter_.doubt("a value that the shell evaluates once more", inside_.from,
                                   inside_.to);
    bool known = values.size() == 1 && values[0].literal();
    if (!known) return {unknown_word(!in_quotes_)};
    return {apply_edit(values[0].text, operation)};
  }

  Word apply_edit(const std::string& value, char operation) {
    bool twice = text_.size() > 1 && text_[1] == text_[0];
    if (text_[0] == ':') return slice(value, text_.substr(1));
    if (operation == '#' || operation == '%') {
      Word pattern = expander_.value(rest_after(twice ? 2 : 1));
      constexpr size_t kLongest = 256;  // for the square of it
      if (!pattern.literal() || value.size() > kLongest || pattern.text.size() > kLongest ||
          pattern.text.find_first_of("[\\") != kNone)
        return unknown_word();
      return operation == '#' ? without_start(value, pattern.text, twice)
                              : without_end(value, pattern.text, twice);
    }
    if (operation == '/') return replace(value, twice);
    bool changes_case = text_ == "^" || text_ == "^^" || text_ == "," || text_ == ",,";
    return changes_case ? in_other_case(value, text_) : unknown_word();
  }

  Word replace(const std::string& value, bool all) {
    Range written = rest_after(all ? 2 : 1);
    size_t slash = expander_.text_.substr(written.from, written.to - written.from).find('/');
    Range pattern = written, by{written.to, written.to};
    if (slash != kNone) {
      pattern.to = written.from + slash;
      by.from = pattern.to + 1;
    }
    Word from = expander_.value(pattern), to = expander_.value(by);
    if (!from.literal() || !to.literal() || has_glob(from.text) || from.text.starts_with('#') ||
        from.text.starts_with('%'))
      return unknown_word();
    return replaced(value, from.text, to.text, all);
  }

  std::vector<Word> apply_default(std::vector<Word> values, char operation, size_t length) {
    Word other =
        in_quotes_ ? expander_.quoted(rest_after(length)) : expander_.value(rest_after(length));
    const Variable* known = variable();
    bool is_known = known != nullptr && values.size() == 1 && values[0].literal();
    bool is_empty = is_known && values[0].text.empty();
    if (!is_known) {
      // It may be set or not: both are gone through.
      std::string key = "${" + std::to_string(inside_.from);
      bool takes_other = expander_.choices_.choose(key, 2) == 0;
      if (operation == '?') return values;
      if (operation == '+') return {takes_other ? other : literal_word("")};
      if (takes_other && operation == '=') expander_.state_.set(name_, other);
      return takes_other ? std::vector{other} : values;
    }
    if (operation == '+') return {is_empty ? literal_word("") : other};
    if (operation == '?' || !is_empty) return values;
    if (operation == '=') expander_.state_.set(name_, other);
    return {other};
  }

  Expander& expander_;
  Range inside_;
  std::string_view text_;  // what is not read yet
  bool in_quotes_;
  std::string name_, subscript_;
  bool has_subscript_ = false;
};

std::vector<Word> Expander::parameter(Range inside, bool in_quotes) {
  return ParameterReader(*this, inside, in_quotes).read();
}

}  // namespace ringwall::shell
