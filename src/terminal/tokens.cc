#include "terminal/tokens.h"

#include <algorithm>

namespace ringwall::terminal {
namespace {

constexpr unsigned char kBell = 0x07, kCancel = 0x18, kSubstitute = 0x1a, kEscape = 0x1b;
constexpr char kSeveral = '\xff';  // more than one intermediate: no sequence we know has that

bool is_printable_ascii(char c) { return c >= 0x20 && c < 0x7f; }

bool is_intermediate(unsigned char byte) { return byte >= 0x20 && byte < 0x30; }

}  // namespace

const Token* Tokens::next(std::string_view& bytes) {
  while (!bytes.empty()) {
    auto byte = static_cast<unsigned char>(bytes.front());
    // A character of several bytes is no part of a sequence: it ends it.
    if (byte >= 0x80 && state_ != State::string) state_ = State::ground;
    if (state_ == State::ground) {
      if (take_ground(bytes)) return &token_;
      continue;
    }
    bytes.remove_prefix(1);
    if (take(byte)) return &token_;
  }
  return nullptr;
}

bool Tokens::take_ground(std::string_view& bytes) {
  auto byte = static_cast<unsigned char>(bytes.front());
  if (decoder_.is_amidst() || byte >= 0x80) return take_character(bytes);
  if (is_printable_ascii(bytes.front())) {
    auto end = std::find_if_not(bytes.begin(), bytes.end(), is_printable_ascii);
    token_.text = {bytes.begin(), end};
    bytes.remove_prefix(token_.text.size());
    return emit(Token::Kind::text);
  }
  bytes.remove_prefix(1);
  return take(byte);
}

bool Tokens::take_character(std::string_view& bytes) {
  char32_t character;
  if (!decoder_.take(bytes, character)) return false;
  // Controls in two bytes: some terminals obey them, none shows them.
  return character >= 0xa0 && emit(Token::Kind::character, character);
}

bool Tokens::take(unsigned char byte) {
  if (byte == kCancel || byte == kSubstitute) {
    state_ = State::ground;
    return false;
  }
  if (state_ == State::string_escape && byte != '\\') {
    state_ = State::escape;  // it ended the string and begins something else
    token_.intermediate = 0;
  }
  if (state_ == State::string || state_ == State::string_escape) {
    take_string(byte);
    return false;
  }
  if (byte == kEscape) {
    state_ = State::escape;
    token_.intermediate = 0;
    return false;
  }
  if (byte == 0 || byte == 0x7f) return false;
  if (byte < 0x20) return emit(Token::Kind::control, byte);  // also amidst a sequence
  if (state_ == State::escape) return take_escape(byte);
  return take_sequence(byte);
}

bool Tokens::take_escape(unsigned char byte) {
  if (is_intermediate(byte)) {
    token_.intermediate = token_.intermediate == 0 ? static_cast<char>(byte) : kSeveral;
    return false;
  }
  if (token_.intermediate == 0) {
    if (byte == '[') {
      token_.sequence = {};
      overflown_ = false;
      state_ = State::sequence;
      return false;
    }
    if (byte == ']' || byte == 'P' || byte == 'X' || byte == '^' || byte == '_') {
      bell_ends_ = byte == ']';
      state_ = State::string;
      return false;
    }
  }
  state_ = State::ground;
  token_.final = static_cast<char>(byte);
  return emit(Token::Kind::escape);
}

bool Tokens::take_sequence(unsigned char byte) {
  Sequence& sequence = token_.sequence;
  if (byte >= 0x40) {
    bool known = state_ == State::sequence;
    state_ = State::ground;
    sequence.final = static_cast<char>(byte);
    return known && emit(Token::Kind::sequence);
  }
  if (state_ == State::ignored) return false;
  if (is_intermediate(byte)) {
    sequence.intermediate = sequence.intermediate == 0 ? static_cast<char>(byte) : kSeveral;
  } else if (sequence.intermediate != 0) {
    state_ = State::ignored;
  } else if (byte >= '0' && byte <= '9') {
    add_digit(byte - '0');
  } else if (byte == ';' || byte == ':') {
    if (sequence.count == 0) add_parameter(false);
    add_parameter(byte == ':');
  } else if (sequence.leader == 0 && sequence.count == 0) {
    sequence.leader = static_cast<char>(byte);
  } else {
    state_ = State::ignored;
  }
  return false;
}

void Tokens::add_parameter(bool joined) {
  Sequence& sequence = token_.sequence;
  if (sequence.count == Sequence::kMostParameters) {
    overflown_ = true;
    return;
  }
  sequence.parameters[sequence.count++] = {-1, joined};
}

void Tokens::add_digit(int digit) {
  Sequence& sequence = token_.sequence;
  if (overflown_) return;
  if (sequence.count == 0) add_parameter(false);
  int& value = sequence.parameters[sequence.count - 1].value;
  value = std::min(std::max(value, 0) * 10 + digit, Sequence::kMostValue);
}

void Tokens::take_string(unsigned char byte) {
  if (state_ == State::string_escape || (byte == kBell && bell_ends_)) {
    state_ = State::ground;
  } else if (byte == kEscape) {
    state_ = State::string_escape;
  }
}

bool Tokens::emit(Token::Kind kind, char32_t character) {
  token_.kind = kind;
  token_.character = character;
  return true;
}

}  // namespace ringwall::terminal
