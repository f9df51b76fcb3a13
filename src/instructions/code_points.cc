#include "instructions/code_points.h"

#include <algorithm>
#include <array>

namespace ringwall::instructions {
namespace {

bool is_between(uint32_t code, uint32_t first, uint32_t last) {
  return code >= first && code <= last;
}

// Letters with accents, U+00C0 to U+017F, by the letter beneath; '.' is none.
constexpr std::string_view kLatin =
    "aaaaaaaceeeeiiiidnooooo.ouuuuy.saaaaaaaceeeeiiiidnooooo.ouuuuy.y"
    "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkkllllllllll"
    "nnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";
static_assert(kLatin.size() == 0x180 - 0xc0);

struct Twin {
  uint32_t code;
  char letter;
};

// Sorted. Letters of Greek, Cyrillic, Armenian and Cherokee, and small capitals, that look Latin.
constexpr Twin kTwins[] = {
    {0x0251, 'a'}, {0x0261, 'g'}, {0x0262, 'g'}, {0x026a, 'i'}, {0x0274, 'n'}, {0x0280, 'r'},
    {0x028f, 'y'}, {0x0299, 'b'}, {0x029c, 'h'}, {0x029f, 'l'}, {0x0391, 'a'}, {0x0392, 'b'},
    {0x0395, 'e'}, {0x0396, 'z'}, {0x0397, 'h'}, {0x0399, 'i'}, {0x039a, 'k'}, {0x039c, 'm'},
    {0x039d, 'n'}, {0x039f, 'o'}, {0x03a1, 'p'}, {0x03a4, 't'}, {0x03a5, 'y'}, {0x03a7, 'x'},
    {0x03b1, 'a'}, {0x03b5, 'e'}, {0x03b7, 'n'}, {0x03b9, 'i'}, {0x03ba, 'k'}, {0x03bd, 'v'},
    {0x03bf, 'o'}, {0x03c1, 'p'}, {0x03c4, 't'}, {0x03c5, 'u'}, {0x03c7, 'x'}, {0x0405, 's'},
    {0x0406, 'i'}, {0x0408, 'j'}, {0x0410, 'a'}, {0x0412, 'b'}, {0x0415, 'e'}, {0x041a, 'k'},
    {0x041c, 'm'}, {0x041d, 'h'}, {0x041e, 'o'}, {0x0420, 'p'}, {0x0421, 'c'}, {0x0422, 't'},
    {0x0423, 'y'}, {0x0425, 'x'}, {0x0430, 'a'}, {0x0432, 'b'}, {0x0433, 'r'}, {0x0435, 'e'},
    {0x043a, 'k'}, {0x043c, 'm'}, {0x043d, 'h'}, {0x043e, 'o'}, {0x043f, 'n'}, {0x0440, 'p'},
    {0x0441, 'c'}, {0x0442, 't'}, {0x0443, 'y'}, {0x0445, 'x'}, {0x0455, 's'}, {0x0456, 'i'},
    {0x0457, 'i'}, {0x0458, 'j'}, {0x04ae, 'y'}, {0x04af, 'y'}, {0x04bb, 'h'}, {0x04c0, 'i'},
    {0x04cf, 'l'}, {0x0501, 'd'}, {0x051b, 'q'}, {0x051d, 'w'}, {0x0570, 'h'}, {0x0578, 'n'},
    {0x057d, 'u'}, {0x0581, 'g'}, {0x0585, 'o'}, {0x13a0, 'd'}, {0x13a1, 'r'}, {0x13a2, 't'},
    {0x13a5, 'i'}, {0x13ac, 'e'}, {0x13b3, 'w'}, {0x13bb, 'h'}, {0x13d9, 'v'}, {0x13da, 's'},
    {0x13de, 'l'}, {0x13df, 'c'}, {0x13e2, 'p'}, {0x1d00, 'a'}, {0x1d04, 'c'}, {0x1d05, 'd'},
    {0x1d07, 'e'}, {0x1d0a, 'j'}, {0x1d0b, 'k'}, {0x1d0d, 'm'}, {0x1d0f, 'o'}, {0x1d18, 'p'},
    {0x1d1b, 't'}, {0x1d1c, 'u'}, {0x1d20, 'v'}, {0x1d21, 'w'}, {0x1d22, 'z'}, {0x210e, 'h'},
    {0x2113, 'l'}, {0x2134, 'o'}, {0xa730, 'f'}, {0xa731, 's'},
};

constexpr bool are_sorted() {
  for (size_t i = 1; i < std::size(kTwins); i++) {
    if (kTwins[i - 1].code >= kTwins[i].code) return false;
  }
  return true;
}
static_assert(are_sorted());

char letter_of(uint32_t number) { return static_cast<char>('a' + number % 26); }

// Whole alphabets that stand for Latin letters: full width, circled, squared, of mathematics.
char styled(uint32_t code) {
  if (is_between(code, 0xff21, 0xff3a)) return letter_of(code - 0xff21);
  if (is_between(code, 0xff41, 0xff5a)) return letter_of(code - 0xff41);
  if (is_between(code, 0xff10, 0xff19)) return static_cast<char>('0' + code - 0xff10);
  if (is_between(code, 0x249c, 0x24b5)) return letter_of(code - 0x249c);
  if (is_between(code, 0x24b6, 0x24e9)) return letter_of(code - 0x24b6);
  if (is_between(code, 0x1d400, 0x1d6a3)) return letter_of(code - 0x1d400);
  if (is_between(code, 0x1d7ce, 0x1d7ff)) return static_cast<char>('0' + (code - 0x1d7ce) % 10);
  if (is_between(code, 0x1f110, 0x1f129)) return letter_of(code - 0x1f110);
  if (is_between(code, 0x1f130, 0x1f149)) return letter_of(code - 0x1f130);
  if (is_between(code, 0x1f150, 0x1f169)) return letter_of(code - 0x1f150);
  if (is_between(code, 0x1f170, 0x1f189)) return letter_of(code - 0x1f170);
  return 0;
}

}  // namespace

CodePoint code_point_at(std::string_view text, size_t at) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[at + i]); };
  unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  size_t size = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (size == 0 || at + size > text.size()) return {};
  uint32_t code = first & (0x7fu >> size);
  for (size_t i = 1; i < size; i++) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3f);
  }
  bool overlong = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
  if (overlong || code > 0x10ffff || is_between(code, 0xd800, 0xdfff)) return {};
  return {code, size};
}

void append_code_point(std::string& text, uint32_t code) {
  auto add = [&](uint32_t byte) { text += static_cast<char>(byte); };
  if (code < 0x80) return add(code);
  if (code < 0x800) {
    add(0xc0 | code >> 6);
  } else if (code < 0x10000) {
    add(0xe0 | code >> 12);
    add(0x80 | (code >> 6 & 0x3f));
  } else {
    add(0xf0 | code >> 18);
    add(0x80 | (code >> 12 & 0x3f));
    add(0x80 | (code >> 6 & 0x3f));
  }
  add(0x80 | (code & 0x3f));
}

bool is_tag(uint32_t code) { return is_between(code, 0xe0000, 0xe007f); }

bool is_variation_selector(uint32_t code) {
  return is_between(code, 0xfe00, 0xfe0f) || is_between(code, 0xe0100, 0xe01ef);
}

bool is_joiner(uint32_t code) { return code == 0x200c || code == 0x200d; }

bool is_zero_width(uint32_t code) {
  return code == 0x200b || is_between(code, 0x2060, 0x2064) || is_between(code, 0x206a, 0x206f) ||
         code == 0xfeff || code == 0xad || code == 0x34f || is_between(code, 0x115f, 0x1160) ||
         is_between(code, 0x17b4, 0x17b5) || is_between(code, 0x180b, 0x180f) || code == 0x3164 ||
         code == 0xffa0 || is_between(code, 0xfff9, 0xfffb) || is_between(code, 0x1d173, 0x1d17a);
}

bool turns_text(uint32_t code) {
  return is_between(code, 0x202a, 0x202e) || is_between(code, 0x2066, 0x2069);
}

bool is_mark_of_direction(uint32_t code) {
  return code == 0x200e || code == 0x200f || code == 0x61c;
}

bool is_right_to_left(uint32_t code) {
  return is_between(code, 0x590, 0x8ff) || is_between(code, 0xfb1d, 0xfdff) ||
         is_between(code, 0xfe70, 0xfefc) || is_between(code, 0x10800, 0x10fff) ||
         is_between(code, 0x1e800, 0x1efff);
}

bool is_control(uint32_t code) {
  return (code < 0x20 && code != '\t' && code != '\n' && code != '\r') ||
         is_between(code, 0x7f, 0x9f);
}

bool is_ideograph(uint32_t code) {
  return is_between(code, 0x2e80, 0x303f) || is_between(code, 0x3040, 0x9fff) ||
         is_between(code, 0xac00, 0xd7a3) || is_between(code, 0xf900, 0xfaff) ||
         is_between(code, 0x20000, 0x3ffff);
}

char look_alike(uint32_t code) {
  if (is_between(code, 'a', 'z') || is_between(code, '0', '9')) return static_cast<char>(code);
  if (is_between(code, 'A', 'Z')) return static_cast<char>(code + 0x20);
  if (code < 0xc0) return 0;
  if (code < 0x180) return kLatin[code - 0xc0] == '.' ? '\0' : kLatin[code - 0xc0];
  if (char letter = styled(code)) return letter;
  const auto* twin = std::ranges::lower_bound(kTwins, code, {}, &Twin::code);
  return twin != std::end(kTwins) && twin->code == code ? twin->letter : '\0';
}

bool is_disguise(uint32_t code) { return code >= 0x180; }

uint32_t in_small(uint32_t code) {
  if (is_between(code, 0x410, 0x42f) || is_between(code, 0x391, 0x3a9)) return code + 0x20;
  if (is_between(code, 0x400, 0x40f)) return code + 0x50;
  return code;
}

bool is_letter_or_digit(uint32_t code) {
  if (code < 0x80) return look_alike(code) != 0;
  if (look_alike(code) != 0) return true;
  return is_between(code, 0x180, 0x1fff) || is_between(code, 0x2c00, 0x2dff) ||
         is_ideograph(code) || is_between(code, 0xa000, 0xabff) ||
         is_between(code, 0xfb00, 0xfdff) || is_between(code, 0xfe70, 0xfefc);
}

}  // namespace ringwall::instructions
