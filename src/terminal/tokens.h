// Splits what a program writes to a terminal into characters, controls and sequences, whatever the
// bytes are and wherever they are cut. Memory is bounded; what is broken or unknown is dropped.
//
// It stands before libvterm, whose own parser writes past its arrays when a sequence has more than
// 16 parameters or a character is cut in two.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "terminal/utf8.h"

namespace ringwall::terminal {

// CSI leader parameters intermediate final: "\x1b[?25h", "\x1b[1;31m", "\x1b[2 q".
struct Sequence {
  static constexpr int kMostValue = 9999;        // larger numbers become this one
  static constexpr size_t kMostParameters = 32;  // further ones are dropped

  struct Parameter {
    int value = -1;       // -1: left out
    bool joined = false;  // by a colon to the one before
  };

  char leader = 0;
  char intermediate = 0;
  char final = 0;
  size_t count = 0;
  std::array<Parameter, kMostParameters> parameters;

  // The parameter at `index`, or `otherwise` if it was left out.
  int value(size_t index, int otherwise) const {
    return index < count && parameters[index].value >= 0 ? parameters[index].value : otherwise;
  }
};

struct Token {
  enum class Kind {
    text,       // `text`: printable ASCII
    character,  // `character`: U+00A0 and above; U+FFFD for bytes that are no character
    control,    // `character`: a C0 control
    escape,     // ESC `intermediate` `final`
    sequence,   // `sequence`
  } kind = Kind::text;
  std::string_view text;
  char32_t character = 0;
  char intermediate = 0;
  char final = 0;
  Sequence sequence;
};

class Tokens {
 public:
  // Takes the next token off the front of `bytes`; nullptr if they are used up. The token is good
  // until the next call.
  const Token* next(std::string_view& bytes);

 private:
  enum class State { ground, escape, sequence, ignored, string, string_escape };

  bool take_ground(std::string_view& bytes);
  bool take_character(std::string_view& bytes);
  bool take(unsigned char byte);
  bool take_escape(unsigned char byte);
  bool take_sequence(unsigned char byte);
  void add_parameter(bool joined);
  void add_digit(int digit);
  void take_string(unsigned char byte);
  bool emit(Token::Kind kind, char32_t character = 0);

  State state_ = State::ground;
  bool bell_ends_ = false;  // the string is an OSC
  bool overflown_ = false;  // the sequence has too many parameters
  Utf8Decoder decoder_;
  Token token_;
};

}  // namespace ringwall::terminal
