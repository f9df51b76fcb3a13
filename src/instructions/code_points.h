// Characters of a text that may hold anything: decoding that never fails, and what each character
// is for somebody who reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ringwall::instructions {

inline constexpr uint32_t kBroken = 0xfffd;

struct CodePoint {
  uint32_t code = kBroken;
  size_t size = 1;  // bytes
};

// Bytes that are no UTF-8 are one broken character each. `at` lies in the text.
CodePoint code_point_at(std::string_view text, size_t at);

void append_code_point(std::string& text, uint32_t code);

bool is_tag(uint32_t code);                 // U+E0000 to U+E007F: ASCII that nothing shows
bool is_variation_selector(uint32_t code);  // both blocks
bool is_joiner(uint32_t code);              // ZWJ and ZWNJ, which some scripts need
bool is_zero_width(uint32_t code);          // all others without width
bool turns_text(uint32_t code);             // embeddings, overrides and isolates
bool is_mark_of_direction(uint32_t code);   // LRM, RLM, ALM: harmless in mixed text
bool is_right_to_left(uint32_t code);       // a letter of Hebrew, Arabic …
bool is_control(uint32_t code);             // C0 and C1 but for tab and line ends
bool is_ideograph(uint32_t code);

// The ASCII letter or digit, in small, that a reader takes it for: accents are dropped, letters of
// other scripts that look alike and the alphabets of mathematics are folded. 0: none.
char look_alike(uint32_t code);

// It is no ASCII, and no accented Latin letter: who writes Latin words with it disguises them.
bool is_disguise(uint32_t code);

// Small letters of Cyrillic and Greek; others stay.
uint32_t in_small(uint32_t code);

bool is_letter_or_digit(uint32_t code);

}  // namespace ringwall::instructions
