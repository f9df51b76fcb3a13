#include "shell/pieces.h"

#include <algorithm>
#include <charconv>

#include "shell/value.h"

namespace ringwall::shell {
namespace {

class FieldMaker {
 public:
  explicit FieldMaker(const FieldRules& rules) : rules_(rules) {}

  std::vector<Word> make(const Pieces& pieces) {
    for (size_t i = 0; i < pieces.size(); i++) {
      const Piece& piece = pieces[i];
      if (piece.kind == Piece::Kind::quoted) {
        word_.text += piece.text;
        begun_ = true;
      } else if (piece.kind == Piece::Kind::plain) {
        std::string_view text = piece.text;
        if (i == 0) text = add_tilde(text, pieces.size() > 1);
        add_plain_text(text);
        begun_ |= !piece.text.empty();
      } else if (piece.is_quoted || !rules_.splits) {
        add_quoted_values(piece.values);
      } else {
        add_split_values(piece.values);
      }
    }
    if (begun_) fields_.push_back(std::move(word_));
    return std::move(fields_);
  }

 private:
  void end_field() {
    if (begun_) fields_.push_back(std::move(word_));
    word_ = {};
    begun_ = false;
  }

  // ~ and ~/… at the start of a word; the text behind it.
  std::string_view add_tilde(std::string_view text, bool goes_on) {
    if (!text.starts_with('~')) return text;
    size_t end = text.find('/');
    std::string_view user = text.substr(1, end == text.npos ? end : end - 1);
    if (end == text.npos && goes_on) return text;  // ~"x" is no tilde
    if (user.find_first_of("*?[:=") != user.npos) return text;
    if (user.empty() && rules_.home != nullptr) {
      word_.text += *rules_.home;
    } else {
      add_gap(word_, Word::Gap::Kind::text);
    }
    return end == text.npos ? std::string_view() : text.substr(end);
  }

  void add_plain_text(std::string_view text) {
    for (size_t i = 0; i < text.size(); i++) {
      char c = text[i];
      if (c == kTextGapByte) {
        add_gap(word_, Word::Gap::Kind::text);
        word_.splits |= rules_.splits;
      } else if (c == kNameGapByte) {
        add_gap(word_, Word::Gap::Kind::name);
        word_.splits |= rules_.splits;
      } else if (rules_.globs && (c == '*' || c == '?')) {
        bool any_depth = c == '*' && text.substr(i, 2) == "**";
        add_gap(word_, any_depth ? Word::Gap::Kind::text : Word::Gap::Kind::name);
        word_.splits = true;
        if (any_depth) i++;
      } else if (size_t end = rules_.globs && c == '[' ? end_of_class(text, i) : 0; end > 0) {
        add_gap(word_, Word::Gap::Kind::name);
        word_.splits = true;
        i = end;
      } else {
        word_.text += c;
      }
    }
  }

  // Of […] at `at`: its last byte, or 0 if it is no class of characters.
  static size_t end_of_class(std::string_view text, size_t at) {
    size_t first = at + 1;
    if (first < text.size() && (text[first] == '!' || text[first] == '^')) first++;
    constexpr size_t kLongest = 64;
    size_t end = text.substr(0, std::min(text.size(), at + kLongest)).find(']', first + 1);
    return end == text.npos ? 0 : end;
  }

  void add_quoted_values(const std::vector<Word>& values) {
    for (size_t i = 0; i < values.size(); i++) {
      if (i > 0 && rules_.splits) end_field();
      if (i > 0 && !rules_.splits) word_.text += ' ';
      append(word_, values[i]);
      begun_ = true;
    }
  }

  void add_split_values(const std::vector<Word>& values) {
    for (size_t i = 0; i < values.size(); i++) {
      if (i > 0) end_field();
      add_split(values[i]);
    }
  }

  void add_split(const Word& value) {
    std::string code = to_code(value);
    size_t at = 0;
    while (at < code.size()) {
      size_t end = std::min(code.find_first_of(rules_.separators, at), code.size());
      if (end > at) {
        add_plain_text(std::string_view(code).substr(at, end - at));
        begun_ = true;
      }
      if (end < code.size()) end_field();
      at = end + 1;
    }
    word_.splits |= value.splits;
  }

  const FieldRules& rules_;
  std::vector<Word> fields_;
  Word word_;
  bool begun_ = false;
};

char letter_escape(char c) {
  switch (c) {
    case 'a':
      return '\a';
    case 'b':
      return '\b';
    case 'e':
    case 'E':
      return '\x1b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'v':
      return '\v';
    default:
      return c;
  }
}

void append_utf8(std::string& out, uint32_t code) {
  auto add = [&](uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    add(code);
  } else if (code < 0x800) {
    add(0xc0 | code >> 6), add(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    add(0xe0 | code >> 12), add(0x80 | (code >> 6 & 0x3f)), add(0x80 | (code & 0x3f));
  } else {
    add(0xf0 | (code >> 18 & 7)), add(0x80 | (code >> 12 & 0x3f));
    add(0x80 | (code >> 6 & 0x3f)), add(0x80 | (code & 0x3f));
  }
}

// Up to `most` digits of `base` at `at`, which then is behind them; false if there is none.
bool read_number(std::string_view text, size_t& at, size_t most, int base, uint32_t& value) {
  std::string_view digits = text.substr(at, most);
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc()) return false;
  at += static_cast<size_t>(end - digits.data());
  return true;
}

}  // namespace

void add_plain(Pieces& pieces, std::string_view text) {
  if (pieces.empty() || pieces.back().kind != Piece::Kind::plain) pieces.push_back({});
  pieces.back().text += text;
}

void add_quoted(Pieces& pieces, std::string_view text) {
  if (pieces.empty() || pieces.back().kind != Piece::Kind::quoted)
    pieces.push_back({.kind = Piece::Kind::quoted});
  pieces.back().text += text;
}

std::vector<Word> to_fields(const Pieces& pieces, const FieldRules& rules) {
  return FieldMaker(rules).make(pieces);
}

std::string decode_ansi_c(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i++];
      continue;
    }
    char c = text[i + 1];
    size_t at = i + 2;
    uint32_t value = 0;
    if (c == 'x' && read_number(text, at, 2, 16, value)) {
      out += static_cast<char>(value);
    } else if ((c == 'u' && read_number(text, at, 4, 16, value)) ||
               (c == 'U' && read_number(text, at, 8, 16, value))) {
      append_utf8(out, value);
    } else if (size_t octal = i + 1;
               c >= '0' && c <= '7' && read_number(text, octal, 3, 8, value)) {
      out += static_cast<char>(value);
      at = octal;
    } else if (c == 'c' && at < text.size()) {
      out += static_cast<char>(text[at++] & 0x1f);
    } else {
      if (std::string_view("abeEfnrtv\\'\"?").find(c) == std::string_view::npos) out += '\\';
      out += letter_escape(c);
    }
    i = at;
  }
  return out.substr(0, out.find('\0'));
}

}  // namespace ringwall::shell
