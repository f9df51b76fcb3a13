#include "terminal/utf8.h"

namespace ringwall::terminal {

bool Utf8Decoder::take(std::string_view& bytes, char32_t& character) {
  while (!bytes.empty()) {
    auto byte = static_cast<unsigned char>(bytes.front());
    if (missing_ > 0) {
      bool fits = byte >= lowest_ && byte <= highest_;
      lowest_ = 0x80;
      highest_ = 0xbf;
      if (!fits) {
        missing_ = 0;
        character = kReplacement;
        return true;
      }
      bytes.remove_prefix(1);
      partial_ = partial_ << 6 | (byte & 0x3f);
      if (--missing_ > 0) continue;
      character = partial_;
      return true;
    }
    bytes.remove_prefix(1);
    if (byte < 0x80 || byte < 0xc2 || byte > 0xf4) {
      character = byte < 0x80 ? byte : kReplacement;
      return true;
    }
    missing_ = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    partial_ = byte & (0x3f >> missing_);
    if (byte == 0xe0) lowest_ = 0xa0;   // overlong
    if (byte == 0xed) highest_ = 0x9f;  // surrogates
    if (byte == 0xf0) lowest_ = 0x90;   // overlong
    if (byte == 0xf4) highest_ = 0x8f;  // beyond Unicode
  }
  return false;
}

void append_utf8(std::string& out, char32_t c) {
  auto rest = [&](int shift) { out += static_cast<char>(0x80 | (c >> shift & 0x3f)); };
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xc0 | c >> 6);
    rest(0);
  } else if (c < 0x10000) {
    out += static_cast<char>(0xe0 | c >> 12);
    rest(6);
    rest(0);
  } else {
    out += static_cast<char>(0xf0 | c >> 18);
    rest(12);
    rest(6);
    rest(0);
  }
}

}  // namespace ringwall::terminal
