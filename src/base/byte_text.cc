#include "base/byte_text.h"

namespace ringwall {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

}  // namespace

bool is_hex_digit(char c) { return kDigits.find(c) != std::string_view::npos; }

std::string text_of_bytes(std::string_view bytes) {
  std::string out;
  for (char c : bytes) {
    auto byte = static_cast<unsigned char>(c);
    if (byte > 0x20 && byte < 0x7f && c != '%') {
      out += c;
    } else {
      out += '%';
      out += kDigits[byte >> 4];
      out += kDigits[byte & 15];
    }
  }
  return out;
}

std::optional<std::string> bytes_of_text(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size(); at++) {
    if (text[at] != '%') {
      out += text[at];
      continue;
    }
    if (at + 2 >= text.size() || !is_hex_digit(text[at + 1]) || !is_hex_digit(text[at + 2]))
      return std::nullopt;
    out += static_cast<char>(kDigits.find(text[at + 1]) * 16 + kDigits.find(text[at + 2]));
    at += 2;
  }
  return out;
}

}  // namespace ringwall
