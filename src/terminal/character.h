// One character of UTF-8 at a time, strictly: what is overlong, a surrogate or cut short is never a
// character, so that no terminal can read another control out of it than the filter did.
#pragma once

#include <cstddef>
#include <string_view>

namespace ringwall::terminal {

// U+FFFD, which terminals show for broken bytes.
inline constexpr std::string_view kShownForBroken = "\xef\xbf\xbd";

struct Character {
  enum class Kind : unsigned char { valid, c1_control, broken, unfinished } kind;
  unsigned char length;  // of a broken one: the longest start of a character, at least one byte
};

// The character at `at`, which is below `end` and holds a byte of 0x80 or more.
inline Character decode(const char* at, const char* end) {
  using Kind = Character::Kind;
  auto byte = [at](size_t i) { return static_cast<unsigned char>(at[i]); };
  unsigned char first = byte(0);
  if (first < 0xc2 || first > 0xf4) return {Kind::broken, 1};
  size_t available = static_cast<size_t>(end - at);
  if (available < 2) return {Kind::unfinished, 1};
  unsigned char second = byte(1);
  if (first < 0xe0) {
    if ((second & 0xc0) != 0x80) return {Kind::broken, 1};
    return {first == 0xc2 && second < 0xa0 ? Kind::c1_control : Kind::valid, 2};
  }
  unsigned char lowest = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  unsigned char highest = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (second < lowest || second > highest) return {Kind::broken, 1};
  if (available < 3) return {Kind::unfinished, 2};
  if ((byte(2) & 0xc0) != 0x80) return {Kind::broken, 2};
  if (first < 0xf0) return {Kind::valid, 3};
  if (available < 4) return {Kind::unfinished, 3};
  if ((byte(3) & 0xc0) != 0x80) return {Kind::broken, 3};
  return {Kind::valid, 4};
}

}  // namespace ringwall::terminal
