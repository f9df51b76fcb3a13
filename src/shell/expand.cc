#include "shell/expand.h"

#include <algorithm>

#include "shell/nesting.h"
#include "shell/value.h"
#include "shell/wrappers.h"

namespace ringwall::shell {
namespace {

constexpr size_t kNone = std::string_view::npos;
constexpr size_t kMostCombinations = 32;
constexpr int kDeepest = 24;

std::string without_backtick_escapes(std::string_view code) {
  std::string plain;
  for (size_t i = 0; i < code.size(); i++) {
    bool escapes = code[i] == '\\' && i + 1 < code.size() &&
                   (code[i + 1] == '`' || code[i + 1] == '\\' || code[i + 1] == '$');
    if (escapes) i++;
    plain += code[i];
  }
  return plain;
}

}  // namespace

size_t Choices::choose(std::string_view key, size_t count) {
  if (count <= 1) return 0;
  size_t combinations = count;
  for (const Wheel& wheel : wheels_) {
    if (wheel.key == key) return std::min(wheel.at, count - 1);
    combinations *= wheel.count;
  }
  if (combinations > kMostCombinations) {
    too_many_ = true;
    if (!wheels_.empty()) return 0;  // always the first: there is nothing to remember
    count = 1;
  }
  wheels_.push_back({std::string(key), count, 0});
  return 0;
}

bool Choices::next() {
  for (Wheel& wheel : wheels_) {
    if (++wheel.at < wheel.count) return true;
    wheel.at = 0;
  }
  return false;
}

std::vector<Word> Expander::fields(Range word) {
  // Most words are nothing but letters.
  std::string_view written = text_.substr(word.from, word.to - word.from);
  if (written.find_first_of("\\'\"$`{~*?[<>\x01\x02") == kNone) return {literal_word(written)};
  Pieces pieces;
  read_pieces(word, false, pieces);
  std::vector<Pieces> expanded;
  if (!expand_braces(pieces, expanded))
    substituter_.doubt("braces that make too many words", word.from, word.to);
  bool expands =
      expanded.size() != 1 || expanded[0].size() != pieces.size() || written.find("..") != kNone;
  if (may_be_plain && expands && choices_.choose("{" + std::to_string(word.from), 2) == 1)
    expanded = {pieces};
  std::vector<Word> all;
  FieldRules field_rules = rules();
  for (const Pieces& one : expanded) {
    for (Word& field : to_fields(one, field_rules))
      all.push_back(std::move(field));
  }
  return all;
}

Word Expander::value(Range word) {
  Pieces pieces;
  read_pieces(word, false, pieces);
  FieldRules field_rules = rules();
  field_rules.splits = field_rules.globs = false;
  std::vector<Word> made = to_fields(pieces, field_rules);
  if (made.empty()) return {};
  made.front().splits = false;
  return std::move(made.front());
}

Word Expander::quoted(Range text) {
  Pieces pieces;
  read_pieces(text, true, pieces);
  FieldRules field_rules = rules();
  field_rules.splits = field_rules.globs = false;
  std::vector<Word> made = to_fields(pieces, field_rules);
  return made.empty() ? Word{} : std::move(made.front());
}

void Expander::look_for_substitutions(Range text) {
  Pieces ignored;
  read_pieces(text, false, ignored);
}

FieldRules Expander::rules() {
  FieldRules made;
  const Variable* separators = state_.find("IFS");
  separators_ = " \t\n";
  if (separators != nullptr && separators->may_be.size() == 1) {
    const Value& known = separators->may_be.front();
    if (known.items.size() == 1 && known.items.front().literal()) separators_ = known.items[0].text;
  }
  made.separators = separators_;
  const Variable* home = state_.find("HOME");
  if (home != nullptr && home->may_be.size() == 1 && home->may_be[0].items.size() == 1 &&
      home->may_be[0].items[0].literal())
    made.home = &home->may_be[0].items[0].text;
  return made;
}

void Expander::read_pieces(Range range, bool in_quotes, Pieces& pieces) {
  if (++depth_ > kDeepest) {
    substituter_.doubt("quotes and substitutions nested too deeply", range.from, range.to);
    add_value(pieces, {unknown_word(true)}, in_quotes);
    depth_--;
    return;
  }
  size_t plain_from = range.from, at = range.from;
  auto flush = [&](size_t to) {
    std::string_view plain = text_.substr(plain_from, to - plain_from);
    if (!plain.empty() && in_quotes) {
      // A gap of the text around stays one.
      if (plain.find_first_of("\x01\x02") == kNone) return add_quoted(pieces, plain);
      add_value(pieces, {from_code(plain)}, true);
    } else if (!plain.empty()) {
      add_plain(pieces, plain);
    }
  };
  while (at < range.to) {
    char c = text_[at];
    Range rest{at, range.to};
    bool opens_process = !in_quotes && (c == '<' || c == '>') && text_.substr(at + 1, 1) == "(";
    bool special = c == '\\' || c == '$' || c == '`' || opens_process ||
                   (!in_quotes && (c == '\'' || c == '"'));
    if (!special) {
      at++;
      continue;
    }
    flush(at);
    if (c == '$') {
      at = read_dollar(rest, in_quotes, pieces);
    } else if (c == '`') {
      at = read_backticks(rest, in_quotes, pieces);
    } else if (opens_process) {
      at = read_process(rest, pieces);
    } else {
      at = read_quotes(rest, in_quotes, pieces);
    }
    plain_from = at;
  }
  flush(range.to);
  depth_--;
}

// At a ', a " or a \.
size_t Expander::read_quotes(Range range, bool in_quotes, Pieces& pieces) {
  char c = text_[range.from];
  if (c == '\\') {
    if (range.from + 1 >= range.to) {
      add_quoted(pieces, "\\");
      return range.to;
    }
    char escaped = text_[range.from + 1];
    bool obeys = !in_quotes || std::string_view("$`\"\\\n").find(escaped) != kNone;
    if (escaped != '\n')
      add_quoted(pieces, text_.substr(range.from + (obeys ? 1 : 0), obeys ? 1 : 2));
    return range.from + 2;
  }
  size_t end = c == '\'' ? end_of_single_quotes(text_, range.from + 1, false)
                         : end_of_double_quotes(text_, range.from + 1);
  if (end == kNone || end >= range.to) {
    substituter_.doubt("a quote that is not closed", range.from, range.to);
    end = range.to;
  }
  Range inside{range.from + 1, end};
  if (c == '\'') {
    std::string_view text = text_.substr(inside.from, inside.to - inside.from);
    if (text.find_first_of("\x01\x02") != kNone) {
      add_value(pieces, {from_code(text)}, true);
    } else {
      add_quoted(pieces, text);
    }
  } else {
    // "$@" without arguments is no word at all, other empty quotes are one.
    std::string_view text = text_.substr(inside.from, inside.to - inside.from);
    bool is_list = text == "$@" || (text.starts_with("${") && text.ends_with("[@]}"));
    if (!is_list) add_quoted(pieces, "");
    read_pieces(inside, true, pieces);
  }
  return std::min(end + 1, range.to);
}

size_t Expander::read_dollar(Range range, bool in_quotes, Pieces& pieces) {
  size_t at = range.from;
  std::string_view rest = text_.substr(at, range.to - at);
  auto clip = [&](size_t end) {
    if (end < range.to) return end;
    substituter_.doubt("a substitution that is not closed", range.from, range.to);
    return range.to;
  };
  if (!in_quotes && rest.starts_with("$'")) {
    size_t end = clip(end_of_single_quotes(text_, at + 2, true));
    if (may_be_plain && choices_.choose("$'" + std::to_string(at), 2) == 1) {
      add_quoted(pieces, "$");
      return read_quotes({at + 1, range.to}, false, pieces);
    }
    add_quoted(pieces, decode_ansi_c(text_.substr(at + 2, end - at - 2)));
    return std::min(end + 1, range.to);
  }
  if (!in_quotes && rest.starts_with("$\"")) return read_quotes({at + 1, range.to}, false, pieces);
  if (rest.starts_with("$((") && is_arithmetic(text_, at + 3)) {
    size_t end = clip(end_of_arithmetic(text_, at + 3));
    look_for_substitutions({at + 3, end});
    add_value(pieces, {unknown_word()}, true);
    return std::min(end + 2, range.to);
  }
  if (rest.starts_with("$[")) {
    size_t end = clip(text_.find(']', at));
    look_for_substitutions({at + 2, end});
    add_value(pieces, {unknown_word()}, true);
    return std::min(end + 1, range.to);
  }
  if (rest.starts_with("$(")) {
    size_t end = clip(end_of_parentheses(text_, at + 2));
    Range code{at + 2, end};
    std::string_view written = original_.substr(code.from, code.to - code.from);
    add_value(pieces, {substitute(code, true, written, substituted_acts)}, in_quotes);
    return std::min(end + 1, range.to);
  }
  if (rest.starts_with("${")) {
    size_t end = clip(end_of_braces(text_, at + 2, in_quotes));
    add_value(pieces, parameter({at + 2, end}, in_quotes), in_quotes);
    return std::min(end + 1, range.to);
  }
  size_t length = length_of_name(rest.substr(1));
  if (length == 0 && rest.size() > 1 &&
      std::string_view("@*#?-$!0123456789").find(rest[1]) != kNone)
    length = 1;
  if (length == 0) {
    add_quoted(pieces, "$");
    return at + 1;
  }
  add_value(pieces, values_of(rest.substr(1, length), in_quotes), in_quotes);
  return at + 1 + length;
}

size_t Expander::read_backticks(Range range, bool in_quotes, Pieces& pieces) {
  size_t end = end_of_backticks(text_, range.from + 1);
  if (end >= range.to) {
    substituter_.doubt("a ` that is not closed", range.from, range.to);
    end = range.to;
  }
  Range code{range.from + 1, end};
  std::string plain = without_backtick_escapes(original_.substr(code.from, code.to - code.from));
  add_value(pieces, {substitute(code, false, plain, substituted_acts)}, in_quotes);
  return std::min(end + 1, range.to);
}

// >(sh): by the last part of the first word.
static bool runs_its_input(std::string_view code) {
  code.remove_prefix(std::min(code.find_first_not_of(" \t\n"), code.size()));
  std::string_view word = code.substr(0, code.find_first_of(" \t\n;|&<>)"));
  std::string_view name = word.substr(word.rfind('/') + 1);
  return is_shell(name) || name.starts_with("python") || name == "perl" || name == "node" ||
         name == "ruby" || name == "xargs" || name == "parallel" || name == "ssh";
}

size_t Expander::read_process(Range range, Pieces& pieces) {
  size_t end = end_of_parentheses(text_, range.from + 2);
  if (end >= range.to) {
    substituter_.doubt("a substitution that is not closed", range.from, range.to);
    end = range.to;
  }
  Range code{range.from + 2, end};
  bool reads = text_[range.from] == '<';
  std::vector<size_t> written_to;
  Word output = substitute(code, true, original_.substr(code.from, code.to - code.from),
                           reads ? read_acts : written_to);
  if (reads && !output.text.empty()) read_text = std::move(output);
  if (!reads && runs_its_input(original_.substr(code.from, code.to - code.from)))
    substituter_.doubt("what is written there is run", range.from, end);
  Word pipe = literal_word("/dev/fd/");
  add_gap(pipe, Word::Gap::Kind::name);
  add_value(pieces, {pipe}, true);
  return std::min(end + 1, range.to);
}

void Expander::add_value(Pieces& pieces, std::vector<Word> values, bool in_quotes) {
  pieces.push_back(
      {.kind = Piece::Kind::value, .values = std::move(values), .is_quoted = in_quotes});
}

Word Expander::substitute(Range code, bool is_exact, std::string_view text,
                          std::vector<size_t>& acts) {
  Substituter::Found found = substituter_.look_into(text, code.from, is_exact);
  acts.insert(acts.end(), found.acts.begin(), found.acts.end());
  return std::move(found.output);
}

std::vector<Word> Expander::values_of(std::string_view name, bool in_quotes) {
  if (name == "PWD" && state_.find("PWD") == nullptr)
    return {state_.folder ? literal_word(*state_.folder) : unknown_word()};
  if (name == "OLDPWD" && state_.find("OLDPWD") == nullptr)
    return {state_.folder_before ? literal_word(*state_.folder_before) : unknown_word()};
  if (name == "@" || name == "*") {
    if (!state_.arguments) return {unknown_word(true)};
    if (name == "*" && in_quotes) return {joined(*state_.arguments)};
    return *state_.arguments;
  }
  if (name[0] >= '1' && name[0] <= '9' && state_.arguments) {
    size_t index =
        std::min<size_t>(static_cast<size_t>(std::atoi(std::string(name).c_str())), 1000);
    bool is_there = index <= state_.arguments->size();
    return {is_there ? (*state_.arguments)[index - 1] : literal_word("")};
  }
  const Variable* variable = state_.find(name);
  if (variable == nullptr) return {unknown_word()};
  size_t choice = choices_.choose(name, variable->may_be.size());
  const Value& value = variable->may_be[std::min(choice, variable->may_be.size() - 1)];
  if (value.items.empty()) return {literal_word("")};
  return {value.items.front()};
}

}  // namespace ringwall::shell
