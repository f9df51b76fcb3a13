#include "shell/nesting.h"

#include <algorithm>
#include <array>

namespace ringwall::shell {
namespace {

enum class In : uint8_t {
  commands,
  parentheses,
  backticks,
  double_quotes,
  braces,
  quoted_braces,  // ${…} in double quotes: a ' means itself
  arithmetic,
  pattern,  // +(…), where the shell knows extended ones
};

bool ends_word(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == ';' || c == '&' || c == '|' || c == '(' ||
         c == ')' || c == '<' || c == '>';
}

// Bytes that mean nothing but themselves wherever they stand.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (size_t c = 0; c < 256; c++) {
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    plain[c] = letter || c >= 0x80 ||
               std::string_view("_-./=,:%^~").find(static_cast<char>(c)) != std::string_view::npos;
  }
  return plain;
}();

class Reader {
 public:
  Reader(std::string_view text, size_t at, In first) : text_(text), at_(at), levels_{{first}} {}

  // Stops at what closes the first level; npos if nothing does.
  size_t find_end() {
    while (at_ < text_.size() && !nesting_.too_deep) {
      size_t before = at_;
      step();
      if (levels_.empty()) return before;
    }
    return std::string_view::npos;
  }

  Nesting read_all() {
    while (at_ < text_.size() && !nesting_.too_deep)
      step();
    nesting_.open_at_end |= levels_.size() > 1;
    for (HereDocument& document : waiting_) {  // without a line's end there is no body
      document.from = document.to = document.end = text_.size();
      nesting_.documents.push_back(std::move(document));
    }
    return std::move(nesting_);
  }

 private:
  struct Level {
    In in;
    int cases = 0;        // `case` without its `esac`: their patterns end with a )
    int parentheses = 0;  // open ones in arithmetic
  };

  bool is_next(std::string_view expected) const {
    return text_.substr(at_, expected.size()) == expected;
  }

  void enter(In in, size_t length) {
    at_ += length;
    if (levels_.size() >= kDeepestNesting) nesting_.too_deep = true;
    levels_.push_back({in});
  }

  void leave(size_t length) {
    at_ += length;
    levels_.pop_back();
  }

  void step() {
    switch (levels_.back().in) {
      case In::commands:
      case In::parentheses:
      case In::backticks:
        return step_in_commands();
      case In::double_quotes:
        if (text_[at_] == '"') return leave(1);
        return step_in_quotes();
      case In::braces:
      case In::quoted_braces:
        return step_in_braces();
      case In::arithmetic:
        return step_in_arithmetic();
      case In::pattern:
        return step_in_pattern();
    }
  }

  // What means the same within double quotes and without.
  bool step_over_expansion() {
    char c = text_[at_];
    if (c == '\\') {
      at_ += 2;
    } else if (c == '`') {
      enter(In::backticks, 1);
    } else if (is_next("$((") && is_arithmetic(text_, at_ + 3)) {
      enter(In::arithmetic, 3);
    } else if (is_next("$(")) {
      enter(In::parentheses, 2);
    } else if (is_next("${")) {
      In in = levels_.back().in;
      bool quoted = in == In::double_quotes || in == In::quoted_braces;
      enter(quoted ? In::quoted_braces : In::braces, 2);
    } else {
      return false;
    }
    return true;
  }

  void step_in_quotes() {
    if (!step_over_expansion())
      at_ = std::min(text_.find_first_of("\"\\$`", at_ + 1), text_.size());
  }

  bool step_over_quotes() {
    bool escapes = is_next("$'");
    if (text_[at_] == '\'' || escapes) {
      size_t end = end_of_single_quotes(text_, at_ + (escapes ? 2 : 1), escapes);
      nesting_.open_at_end |= end == std::string_view::npos;
      at_ = std::min(end, text_.size() - 1) + 1;
      return true;
    }
    if (text_[at_] == '"' || is_next("$\"")) {
      enter(In::double_quotes, text_[at_] == '"' ? 1 : 2);
      return true;
    }
    return false;
  }

  void step_in_braces() {
    if (text_[at_] == '}') return leave(1);
    if (levels_.back().in == In::quoted_braces && text_[at_] == '\'') {
      at_++;
    } else if (!step_over_expansion() && !step_over_quotes()) {
      at_++;
    }
  }

  void step_in_arithmetic() {
    Level& level = levels_.back();
    char c = text_[at_];
    if (c == ')' && level.parentheses == 0) return leave(is_next("))") ? 2 : 1);
    if (step_over_expansion() || step_over_quotes()) return;
    if (c == '(') level.parentheses++;
    if (c == ')') level.parentheses--;
    at_++;
  }

  void step_in_pattern() {
    char c = text_[at_];
    if (c == ')') return leave(1);
    if (step_over_expansion() || step_over_quotes()) return;
    c == '(' ? enter(In::pattern, 1) : void(at_++);
  }

  bool opens_pattern() const {
    return at_ + 1 < text_.size() && text_[at_ + 1] == '(' &&
           std::string_view("@+?*!").find(text_[at_]) != std::string_view::npos;
  }

  void step_in_commands() {
    In in = levels_.back().in;
    char c = text_[at_];
    bool at_word = at_ == 0 || ends_word(text_[at_ - 1]) || text_[at_ - 1] == '`';
    if (c == '`' && in == In::backticks) return leave(1);
    if (c == '#' && at_word) {
      at_ = std::min(text_.find('\n', at_), text_.size());
      if (in == In::backticks) leave_comment_in_backticks();
      return;
    }
    if (step_over_expansion() || step_over_quotes()) return;
    if (c == '\n' && !waiting_.empty()) return read_documents();
    if (is_next("<<<")) {
      at_ += 3;
    } else if (is_next("<<")) {
      read_delimiter();
    } else if (opens_pattern()) {
      enter(In::pattern, 2);
    } else if (c == '(') {
      bool arithmetic = is_next("((") && is_arithmetic(text_, at_ + 2);
      arithmetic ? enter(In::arithmetic, 2) : enter(In::parentheses, 1);
    } else if (c == ')' && in == In::parentheses && levels_.back().cases == 0) {
      leave(1);
    } else {
      if (at_word) count_cases();
      at_++;
      if (c == ' ') skip_while([](char next) { return next == ' '; });
      if (kPlain[static_cast<unsigned char>(c)])
        skip_while([](char next) { return kPlain[static_cast<unsigned char>(next)]; });
    }
  }

  void skip_while(auto fits) {
    while (at_ < text_.size() && fits(text_[at_]))
      at_++;
  }

  // A comment does not hide the ` that ends it.
  void leave_comment_in_backticks() {
    size_t start = text_.substr(0, at_).rfind('#');
    size_t tick = text_.find('`', start);
    if (tick < at_) at_ = tick;
  }

  void count_cases() {
    auto is_word = [&](std::string_view word) {
      size_t end = at_ + word.size();
      return is_next(word) && (end == text_.size() || ends_word(text_[end]));
    };
    constexpr size_t kLongestSubject = 256;
    if (is_word("case") && text_.substr(at_, kLongestSubject).find(" in") != text_.npos) {
      levels_.back().cases++;
    } else if (is_word("esac") && levels_.back().cases > 0) {
      levels_.back().cases--;
    }
  }

  void read_delimiter() {
    HereDocument document{.at = at_};
    at_ += 2;
    if (at_ < text_.size() && text_[at_] == '-') {
      document.strips_tabs = true;
      at_++;
    }
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t'))
      at_++;
    size_t start = at_;
    while (at_ < text_.size() && !ends_word(text_[at_]) && text_[at_] != '`')
      read_delimiter_part(document);
    document.after = at_;
    if (at_ > start) waiting_.push_back(std::move(document));
  }

  void read_delimiter_part(HereDocument& document) {
    char c = text_[at_];
    bool escapes = is_next("$'");
    if (escapes) c = text_[++at_];
    at_++;
    if (c == '\\') {
      document.raw = true;
      if (at_ < text_.size()) document.delimiter += text_[at_++];
    } else if (c == '\'' || c == '"') {
      document.raw = true;
      size_t end = std::min(text_.find(c, at_), text_.size());
      document.delimiter += text_.substr(at_, end - at_);
      at_ = std::min(end + 1, text_.size());
    } else {
      document.delimiter += c;
    }
  }

  void read_documents() {
    at_++;  // the line's end
    for (HereDocument& document : waiting_) {
      document.from = document.to = at_;
      while (at_ < text_.size() && !document.ended)
        read_line(document);
      document.end = at_;
      nesting_.documents.push_back(std::move(document));
    }
    waiting_.clear();
  }

  void read_line(HereDocument& document) {
    size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view line = text_.substr(at_, end - at_);
    if (document.strips_tabs)
      line.remove_prefix(std::min(line.find_first_not_of('\t'), line.size()));
    document.ended = line == document.delimiter;
    at_ = std::min(end + 1, text_.size());
    if (!document.ended) document.to = at_;
  }

  std::string_view text_;
  size_t at_;
  std::vector<Level> levels_;
  std::vector<HereDocument> waiting_;  // for the line's end
  Nesting nesting_;
};

}  // namespace

Nesting nesting_of(std::string_view text) { return Reader(text, 0, In::commands).read_all(); }

size_t end_of_parentheses(std::string_view text, size_t at) {
  return Reader(text, at, In::parentheses).find_end();
}

size_t end_of_braces(std::string_view text, size_t at, bool in_double_quotes) {
  return Reader(text, at, in_double_quotes ? In::quoted_braces : In::braces).find_end();
}

size_t end_of_arithmetic(std::string_view text, size_t at) {
  return Reader(text, at, In::arithmetic).find_end();
}

size_t end_of_backticks(std::string_view text, size_t at) {
  return Reader(text, at, In::backticks).find_end();
}

size_t end_of_pattern(std::string_view text, size_t at) {
  return Reader(text, at, In::pattern).find_end();
}

size_t end_of_double_quotes(std::string_view text, size_t at) {
  return Reader(text, at, In::double_quotes).find_end();
}

size_t end_of_single_quotes(std::string_view text, size_t at, bool escapes) {
  if (!escapes) return text.find('\'', at);
  for (; at < text.size() && text[at] != '\''; at++) {
    if (text[at] == '\\') at++;
  }
  return at < text.size() ? at : std::string_view::npos;
}

bool is_arithmetic(std::string_view text, size_t at) {
  constexpr size_t kFarthest = 4096;  // so that many of them cost no more than the text's length
  int open = 0;
  for (size_t end = std::min(text.size(), at + kFarthest); at < end; at++) {
    if (text[at] == '(') open++;
    if (text[at] == ')' && open-- == 0) return at + 1 < end && text[at + 1] == ')';
  }
  return false;
}

}  // namespace ringwall::shell
