#include "shell/skeleton.h"

#include <algorithm>
#include <array>

#include "shell/nesting.h"
#include "shell/raw_command.h"

namespace ringwall::shell {
namespace {

constexpr size_t kNone = std::string_view::npos;

// Behind these, a command begins.
constexpr auto kBeforeCommand = std::to_array<std::string_view>(
    {"if", "then", "else", "elif", "fi", "while", "until", "do", "done", "esac", "{", "}"});

constexpr auto kEnds = std::to_array<std::string_view>({"fi", "done", "esac", "}"});
constexpr auto kClosers =
    std::to_array<std::string_view>({"fi", "done", "esac", "}", "do", "then", "else", "elif"});

// Behind these, a name or a word stands first.
constexpr auto kBeforeName = std::to_array<std::string_view>({"for", "select", "case", "function"});

bool is_in(const auto& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// [[ and a blank.
bool opens_test(std::string_view rest) {
  return rest.starts_with("[[") && rest.size() > 2 &&
         std::string_view(" \t\n").find(rest[2]) != kNone;
}

class Maker {
 public:
  explicit Maker(std::string_view text) : text_(text), made_(text) {}

  std::string make() {
    while (at_ < text_.size() && !is_too_much())
      step();
    return std::move(made_);
  }

  bool is_too_much() const { return words_ > kMostWords || operators_ > kMostOperators; }

 private:
  void step() {
    char c = text_[at_];
    std::string_view rest = text_.substr(at_);
    if (is_blank(c) || rest.starts_with("\\\n")) {
      read_blanks();
    } else if (at_command_ && after_.empty() && rest.starts_with("!(")) {
      at_++;  // not a pattern: what stands in the parentheses is run
    } else if (c == '#') {
      fill(at_, std::min(text_.find('\n', at_), text_.size()), ' ');
    } else if (size_t end = find_test_end(); end > at_) {
      read_test(end);
    } else if (size_t word = end_of_word(text_, at_, text_.size()); word > at_) {
      read_word(word);
    } else {
      read_operator(rest);
    }
  }

  // Where one test has no end, none behind it has: it is not looked for again and again.
  size_t find_test_end() {
    bool is_possible = at_command_ || after_ == "for";
    if (!is_possible || (tests_are_open_ && text_[at_] == '[')) return at_;
    size_t end = end_of_test(text_, at_);
    tests_are_open_ |= end == at_ && opens_test(text_.substr(at_));
    return end;
  }

  // Between the words of one command they become x too: to the grammar, all of it is one word.
  void read_blanks() {
    size_t end = at_;
    while (end < text_.size() && (is_blank(text_[end]) || text_.substr(end, 2) == "\\\n"))
      end += text_[end] == '\\' ? 2 : 1;
    bool goes_on = in_simple_ && end < text_.size() && text_[end] != '#' &&
                   (is_redirection(end) || end_of_word(text_, end, text_.size()) > end);
    fill(at_, end, goes_on ? 'x' : ' ');
  }

  bool is_redirection(size_t at) const {
    return text_[at] == '<' || text_[at] == '>' || text_.substr(at, 2) == "&>";
  }

  void fill(size_t from, size_t to, char c) {
    std::fill(made_.begin() + static_cast<long>(from), made_.begin() + static_cast<long>(to), c);
    at_ = to;
  }

  void read_operator(std::string_view rest) {
    operators_++;
    if (is_redirection(at_)) return read_redirection(rest);
    at_command_ = true;
    after_ = {};
    after_closer_ = rest[0] == ')';
    in_simple_ = false;
    at_++;
  }

  // With its target. In a simple command it is a part of that; behind a loop or a block it is seen.
  void read_redirection(std::string_view rest) {
    size_t length = 1;
    for (std::string_view sign : {"<<<", "&>>", "<>", ">>", ">&", "<&", ">|", "&>"}) {
      if (length == 1 && rest.starts_with(sign)) length = sign.size();
    }
    size_t target = at_ + length;
    while (target < text_.size() && (is_blank(text_[target]) || text_.substr(target, 2) == "\\\n"))
      target += text_[target] == '\\' ? 2 : 1;
    size_t end = end_of_word(text_, target, text_.size());
    if (end == target) {  // the grammar shall see that it is missing
      at_ += length;
      return;
    }
    if (at_command_ && !after_closer_) in_simple_ = true;
    if (in_simple_) {
      at_command_ = false;
      return fill(at_, end, 'x');
    }
    made_[at_] = '>';
    fill(at_ + 1, end, 'x');
  }

  void read_test(size_t end) {
    bool in_for = after_ == "for";
    fill(at_, end, 'x');
    // for ((…)) needs no ; before its `do`, but for x does.
    size_t next = std::min(text_.find_first_not_of(" \t", end), text_.size());
    if (in_for && next < text_.size() && text_[next] != ';' && text_[next] != '\n')
      made_[end - 1] = ';';
    at_command_ = in_for;
    in_simple_ = !in_for;
    after_ = {};
  }

  void read_word(size_t end) {
    words_++;
    std::string_view word = text_.substr(at_, end - at_);
    bool is_descriptor = !in_simple_ && end < text_.size() &&
                         (text_[end] == '<' || text_[end] == '>') &&
                         word.find_first_not_of("0123456789") == kNone;
    if (is_descriptor) {
      at_ = end;
      return;
    }
    if (word == "in" && expects_in_) {
      expects_in_ = false;
      at_command_ = false;
      at_ = end;
      return;
    }
    if (!after_.empty()) return read_name(word, end);
    bool ends_head = expects_in_ && (word == "do" || word == "{");
    if (!at_command_ && !ends_head) return mask(end);
    expects_in_ = false;
    in_simple_ = false;
    if (is_in(kBeforeCommand, word)) {
      // The grammar wants a ; where the shell needs none: } }, fi fi, for x do.
      bool needs_end = ends_head || (after_closer_ && is_in(kClosers, word));
      if (needs_end && at_ > 0 && is_blank(made_[at_ - 1])) made_[at_ - 1] = ';';
      after_closer_ = is_in(kEnds, word);
      at_command_ = true;
      at_ = end;
    } else if (is_in(kBeforeName, word)) {
      after_ = word;
      at_ = end;
    } else if (word == "!" || (word == "time" && is_before_structure(behind_time_option(end))) ||
               word == "coproc") {
      read_prefix(word, end);
    } else {
      at_command_ = false;
      after_closer_ = false;
      in_simple_ = true;
      mask(end);
    }
  }

  void read_name(std::string_view, size_t end) {
    bool is_function = after_ == "function";
    expects_in_ = !is_function;
    at_command_ = is_function;
    after_ = {};
    mask(end);
  }

  // What changes nothing in the structure behind it.
  void read_prefix(std::string_view word, size_t end) {
    if (word == "time") end = behind_time_option(end);
    fill(at_, end, ' ');
    if (word != "coproc") return;
    size_t name = std::min(text_.find_first_not_of(" \t", end), text_.size());
    size_t name_end = end_of_word(text_, name, text_.size());
    if (is_name(text_.substr(name, name_end - name)) && is_before_structure(name_end) &&
        !is_in(kBeforeCommand, text_.substr(name, name_end - name)))
      fill(name, name_end, ' ');
  }

  size_t behind_time_option(size_t at) const {
    size_t option = std::min(text_.find_first_not_of(" \t", at), text_.size());
    bool is_there = text_.substr(option, 3) == "-p " || text_.substr(option, 3) == "-p\t";
    return is_there ? option + 2 : at;
  }

  // True if a { or a ( or the like comes next.
  bool is_before_structure(size_t at) const {
    at = std::min(text_.find_first_not_of(" \t", at), text_.size());
    if (at < text_.size() && (text_[at] == '(' || text_[at] == '!')) return true;
    std::string_view word = text_.substr(at, end_of_word(text_, at, text_.size()) - at);
    return is_in(kBeforeCommand, word) || is_in(kBeforeName, word);
  }

  void mask(size_t end) { fill(at_, end, 'x'); }

  std::string_view text_;
  std::string made_;
  size_t at_ = 0;
  bool at_command_ = true;       // the next word may be a reserved one
  bool in_simple_ = false;       // in a simple command
  bool expects_in_ = false;      // behind `for x`
  bool after_closer_ = false;    // behind fi, } or )
  std::string_view after_;       // for, case …: the next word is theirs
  bool tests_are_open_ = false;  // a [[ without its ]] was found
  size_t words_ = 0;
  size_t operators_ = 0;
};

// One x for many, one blank for many. No reserved word has an x.
Skeleton squeeze(std::string_view made) {
  Skeleton skeleton;
  skeleton.text.reserve(made.size() / 2);
  skeleton.places.reserve(made.size() / 2);
  for (size_t at = 0; at < made.size();) {
    char c = made[at];
    skeleton.text += c;
    skeleton.places.push_back(static_cast<uint32_t>(at));
    at = c == 'x' || c == ' ' ? std::min(made.find_first_not_of(c, at), made.size()) : at + 1;
  }
  skeleton.places.push_back(static_cast<uint32_t>(made.size()));
  return skeleton;
}

}  // namespace

Skeleton skeleton_of(std::string_view text) {
  Maker maker(text);
  std::string made = maker.make();
  if (maker.is_too_much()) return {.text = {}, .places = {}, .is_whole = false};
  return squeeze(made);
}

size_t end_of_test(std::string_view text, size_t at) {
  std::string_view rest = text.substr(at);
  if (rest.starts_with("((") && is_arithmetic(text, at + 2)) {
    size_t end = end_of_arithmetic(text, at + 2);
    return end == kNone ? at : std::min(end + 2, text.size());
  }
  if (!opens_test(rest)) return at;
  for (size_t i = at + 2; i < text.size();) {
    size_t end = end_of_word(text, i, text.size());
    if (text.substr(i, end - i) == "]]") return end;
    i = std::max(end, i + 1);
  }
  return at;
}

}  // namespace ringwall::shell
