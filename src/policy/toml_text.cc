#include "policy/toml_text.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "base/text.h"

namespace ringwall::policy {
namespace {

constexpr size_t kLongestShown = 300;

// Of a sign in UTF-8, by its first byte.
size_t length_of(unsigned char first) {
  return first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

uint32_t value_of(std::string_view sign) {
  auto first = static_cast<unsigned char>(sign[0]);
  uint32_t value = sign.size() == 1 ? first : first & (0x7fu >> sign.size());
  for (char more : sign.substr(1))
    value = value << 6 | (static_cast<unsigned char>(more) & 0x3fu);
  return value;
}

}  // namespace

// What a terminal would obey, or a reader not see, is written as an escape.
std::string in_toml_quotes(std::string_view text) {
  std::string quoted = "\"";
  for (size_t at = 0; at < text.size();) {
    auto first = static_cast<unsigned char>(text[at]);
    size_t length = std::min(length_of(first), text.size() - at);
    std::string_view sign = text.substr(at, length);
    at += length;
    if (sign == "\"" || sign == "\\") {
      quoted += '\\';
      quoted += sign;
    } else if (first >= 0x20 && text::escape(sign) == sign) {
      quoted += sign;
    } else {
      char escaped[16];
      snprintf(escaped, sizeof escaped, "\\U%08X", value_of(sign));
      quoted += escaped;
    }
  }
  return quoted + "\"";
}

std::string in_toml_comment(std::string_view text) {
  std::string shown = text::escape(text.substr(0, kLongestShown));
  return text.size() > kLongestShown ? shown + " …" : shown;
}

// Without overlong forms, surrogates and what lies beyond Unicode.
bool is_utf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    auto first = static_cast<unsigned char>(text[at]);
    size_t length = length_of(first);
    if ((first >= 0x80 && first < 0xc2) || first > 0xf4 || at + length > text.size()) return false;
    for (size_t i = 1; i < length; i++) {
      if ((static_cast<unsigned char>(text[at + i]) & 0xc0) != 0x80) return false;
    }
    uint32_t value = value_of(text.substr(at, length));
    constexpr uint32_t kLeast[] = {0, 0x80, 0x800, 0x10000};
    if (value < kLeast[length - 1] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
      return false;
    at += length;
  }
  return true;
}

}  // namespace ringwall::policy
