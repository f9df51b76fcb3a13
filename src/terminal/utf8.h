// UTF-8 that may be cut or broken anywhere, one character at a time.
#pragma once

#include <string>
#include <string_view>

namespace ringwall::terminal {

inline constexpr char32_t kReplacement = 0xfffd;  // for bytes that are no character

class Utf8Decoder {
 public:
  // Takes one character off the front of `bytes`; false if they end before it does, then its
  // beginning is remembered. As the WHATWG has it: one replacement for the longest piece that could
  // have become a character, and the byte that broke it is looked at again.
  bool take(std::string_view& bytes, char32_t& character);

  bool is_amidst() const { return missing_ > 0; }
  void forget() { *this = {}; }

 private:
  int missing_ = 0;                               // bytes that are still to come
  unsigned char lowest_ = 0x80, highest_ = 0xbf;  // what the next of them may be
  char32_t partial_ = 0;
};

void append_utf8(std::string& out, char32_t character);

}  // namespace ringwall::terminal
