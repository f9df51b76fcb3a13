#include "shell/raw_command.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "shell/nesting.h"

namespace ringwall::shell {
namespace {

constexpr size_t kNone = std::string_view::npos;

// A carriage return is none: to the shell it is a letter like any other.
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

bool is_operator(char c) {
  return c == ';' || c == '&' || c == '|' || c == '(' || c == ')' || c == '<' || c == '>';
}

bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_digit);
}

// Behind the quote, the substitution or the escape at `at`; `at` if there is none.
size_t behind_quoted(std::string_view text, size_t at, size_t to) {
  auto behind = [to](size_t end, size_t length) {
    return end == kNone ? to : std::min(end + length, to);
  };
  std::string_view rest = text.substr(at, to - at);
  if (rest.starts_with('\\')) return std::min(at + 2, to);
  if (rest.starts_with('\'')) return behind(end_of_single_quotes(text, at + 1, false), 1);
  if (rest.starts_with("$'")) return behind(end_of_single_quotes(text, at + 2, true), 1);
  if (rest.starts_with('"')) return behind(end_of_double_quotes(text, at + 1), 1);
  if (rest.starts_with("$\"")) return behind(end_of_double_quotes(text, at + 2), 1);
  if (rest.starts_with('`')) return behind(end_of_backticks(text, at + 1), 1);
  if (rest.starts_with("$((") && is_arithmetic(text, at + 3))
    return behind(end_of_arithmetic(text, at + 3), 2);
  if (rest.starts_with("$(") || rest.starts_with("<(") || rest.starts_with(">("))
    return behind(end_of_parentheses(text, at + 2), 1);
  if (rest.starts_with("${")) return behind(end_of_braces(text, at + 2, false), 1);
  return at;
}

// Bytes that never end a word nor begin anything in one.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (size_t c = 0; c < 256; c++)
    plain[c] = std::string_view(" \t\n\r;&|()<>\\'\"`$[@+?*!").find(static_cast<char>(c)) == kNone;
  return plain;
}();

bool is_plain(char c) { return kPlain[static_cast<unsigned char>(c)]; }

bool opens_pattern(std::string_view text, size_t at) {
  return at + 1 < text.size() && text[at + 1] == '(' &&
         std::string_view("@+?*!").find(text[at]) != kNone;
}

class Taker {
 public:
  Taker(std::string_view text, size_t from, size_t to) : text_(text), at_(from), to_(to) {}

  RawCommand take() {
    for (skip_blanks(); at_ < to_; skip_blanks()) {
      if (take_redirection()) continue;
      if (is_operator(text_[at_]) && behind_quoted(text_, at_, to_) == at_) {
        command_.is_clean = false;
        at_++;
        continue;
      }
      take_word();
    }
    return std::move(command_);
  }

 private:
  void skip_blanks() {
    while (at_ < to_) {
      if (is_blank(text_[at_])) {
        at_++;
      } else if (text_.substr(at_, 2) == "\\\n") {
        at_ += 2;
      } else if (text_[at_] == '#') {
        at_ = std::min(text_.find('\n', at_), to_);
      } else {
        return;
      }
    }
  }

  void take_word() {
    Range word{at_, end_of_word(text_, at_, to_)};
    if (word.to == word.from) word.to++;  // never stand still
    at_ = word.to;
    RawAssignment assignment;
    if (command_.words.empty() && read_assignment(text_, word, assignment)) {
      command_.assignments.push_back(std::move(assignment));
    } else {
      command_.words.push_back(word);
    }
  }

  bool take_redirection() {
    size_t at = at_;
    int fd = -1;
    while (at < to_ && is_digit(text_[at]))
      at++;
    if (at > at_) {
      if (std::from_chars(&text_[at_], &text_[at_] + (at - at_), fd).ec != std::errc())
        return false;
    } else if (text_[at] == '{') {  // {name}>file
      size_t length = length_of_name(text_.substr(at + 1, to_ - at - 1));
      if (length == 0 || text_.substr(at + 1 + length, 1) != "}") return false;
      at += length + 2;
    }
    std::string_view rest = text_.substr(at, to_ - at);
    bool both = at == at_ && rest.starts_with("&>");
    if (both) rest.remove_prefix(1), at++;
    if (rest.empty() || (rest[0] != '<' && rest[0] != '>')) return false;
    if (!both && rest.size() > 1 && rest[1] == '(') return false;  // a process substitution
    read_operator(rest, at, fd);
    return true;
  }

  void read_operator(std::string_view rest, size_t at, int fd) {
    using Kind = Redirection::Kind;
    RawRedirection redirection;
    bool reads = rest[0] == '<';
    redirection.fd = fd >= 0 ? fd : (reads ? 0 : 1);
    size_t length = 1;
    bool duplicates = false;
    if (rest.starts_with(">>")) {
      redirection.kind = Kind::append, length = 2;
    } else if (rest.starts_with("<>")) {
      redirection.kind = Kind::read_write, length = 2;
    } else if (rest.starts_with("<<<")) {
      redirection.kind = Kind::text, length = 3;
    } else if (rest.starts_with(">&") || rest.starts_with("<&")) {
      redirection.kind = reads ? Kind::read : Kind::write, length = 2, duplicates = true;
    } else {
      redirection.kind = reads ? Kind::read : Kind::write;
      if (rest.starts_with(">|")) length = 2;
    }
    at_ = at + length;
    if (at_ < to_ && text_[at_] == kDocumentByte) return take_document(at, redirection);
    skip_blanks();
    redirection.target = {at_, end_of_word(text_, at_, to_)};
    if (redirection.target.from == redirection.target.to) command_.is_clean = false;
    at_ = redirection.target.to;
    std::string_view target = text_.substr(redirection.target.from, at_ - redirection.target.from);
    if (duplicates && (target == "-" || all_digits(target.substr(0, target.find('-'))))) return;
    command_.redirections.push_back(redirection);
  }

  void take_document(size_t at, RawRedirection redirection) {
    redirection.kind = Redirection::Kind::text;
    redirection.is_document = true;
    while (at_ < to_ && text_[at_] == kDocumentByte)
      at_++;
    redirection.target = {at, at_};
    command_.redirections.push_back(redirection);
  }

  std::string_view text_;
  size_t at_, to_;
  RawCommand command_;
};

}  // namespace

RawCommand read_simple_command(std::string_view text, size_t from, size_t to) {
  return Taker(text, from, to).take();
}

std::vector<Range> read_words(std::string_view text, size_t from, size_t to) {
  std::vector<Range> words;
  while (from < to) {
    if (is_blank(text[from]) || is_operator(text[from])) {
      if (behind_quoted(text, from, to) == from) {
        from++;
        continue;
      }
    } else if (text[from] == '#') {
      from = std::min(text.find('\n', from), to);
      continue;
    }
    size_t end = std::max(end_of_word(text, from, to), from + 1);
    words.push_back({from, end});
    from = end;
  }
  return words;
}

bool read_assignment(std::string_view text, Range word, RawAssignment& assignment) {
  std::string_view rest = text.substr(word.from, word.to - word.from);
  size_t at = length_of_name(rest);
  if (at == 0) return false;
  assignment.name = rest.substr(0, at);
  if (at < rest.size() && rest[at] == '[') {
    size_t end = rest.find(']', at);
    if (end == kNone) return false;
    assignment.subscript = {word.from + at + 1, word.from + end};
    at = end + 1;
  }
  if (at < rest.size() && rest[at] == '+') {
    assignment.adds = true;
    at++;
  }
  if (at >= rest.size() || rest[at] != '=') return false;
  at++;
  assignment.value = {word.from + at, word.to};
  if (at < rest.size() && rest[at] == '(') {
    assignment.is_array = true;
    assignment.value.from++;
    if (rest.ends_with(')')) assignment.value.to--;
  }
  return true;
}

size_t end_of_word(std::string_view text, size_t at, size_t to) {
  size_t start = at;
  while (at < to && !is_blank(text[at])) {
    if (is_plain(text[at])) {
      at++;
    } else if (size_t behind = behind_quoted(text, at, to); behind != at) {
      at = behind;
    } else if (opens_pattern(text, at)) {
      size_t end = end_of_pattern(text, at + 2);
      at = end == kNone ? to : std::min(end + 1, to);
    } else if (text[at] == '(' && at > start && text[at - 1] == '=') {
      RawAssignment assignment;
      if (!read_assignment(text, {start, at}, assignment)) return at;
      size_t end = end_of_parentheses(text, at + 1);
      at = end == kNone ? to : std::min(end + 1, to);
    } else if (text[at] == '[' && length_of_name(text.substr(start, at - start)) == at - start &&
               at > start) {
      // A subscript holds blanks if it wants to: a[1 + 2]=x
      constexpr size_t kLongestSubscript = 256;
      size_t length = text.substr(at, std::min(kLongestSubscript, to - at)).find(']');
      size_t end = length == kNone ? to : at + length;
      bool assigns = end + 1 < to && (text[end + 1] == '=' || text.substr(end + 1, 2) == "+=");
      at = assigns ? end + 1 : at + 1;
    } else if (is_operator(text[at])) {
      return at;
    } else {
      at++;
    }
  }
  return at;
}

bool is_name(std::string_view text) { return !text.empty() && length_of_name(text) == text.size(); }

size_t length_of_name(std::string_view text) {
  if (text.empty() || !starts_name(text[0])) return 0;
  size_t at = 1;
  while (at < text.size() && (starts_name(text[at]) || is_digit(text[at])))
    at++;
  return at;
}

}  // namespace ringwall::shell
