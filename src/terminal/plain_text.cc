#include "terminal/plain_text.h"

#include <emmintrin.h>

#include "terminal/character.h"
#include "terminal/control_sequence.h"

namespace ringwall::terminal {
namespace {

constexpr long kBlock = 16;  // bytes of an SSE2 register, which every x86_64 has

// One bit for each of 16 bytes that is not plain ASCII.
unsigned other_bytes(const char* at) {
  __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  // As signed numbers, the controls and everything from 0x80 on are below the blank.
  __m128i special = _mm_or_si128(_mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20)),
                                 _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x7f)));
  __m128i from_bell = _mm_sub_epi8(bytes, _mm_set1_epi8('\a'));
  __m128i bell_to_feed =
      _mm_cmpeq_epi8(_mm_min_epu8(from_bell, _mm_set1_epi8('\n' - '\a')), from_bell);
  __m128i plain = _mm_or_si128(bell_to_feed, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\r')));
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_andnot_si128(plain, special)));
}

bool is_plain(unsigned char byte) {
  return (byte >= 0x20 && byte < 0x7f) || (byte >= '\a' && byte <= '\n') || byte == '\r';
}

// Does a simple SGR sequence begin here? Its bytes behind ESC are plain ones.
bool are_colours(const char* at, const char* end, Colours& colours) {
  if (end - at < 3 || at[0] != '\x1b' || at[1] != '[') return false;
  unsigned separators = 0, digits = 0;
  bool nonzero = false;
  for (at += 2; at < end; at++) {
    if (*at >= '0' && *at <= '9') {
      nonzero |= *at != '0';
      if (++digits == kMostDigits) return false;
    } else if (*at == ';' || *at == ':') {
      digits = 0;
      if (++separators == kMostParameters) return false;
    } else {
      if (*at != 'm') return false;
      colours = nonzero || separators > 0 ? Colours::some : Colours::none;
      return true;
    }
  }
  return false;
}

const char* end_of_ascii(const char* at, const char* end, Colours& colours) {
  for (; end - at >= kBlock; at += kBlock) {
    // Where the next block begins does not depend on what is found: the processor looks ahead.
    for (unsigned others = other_bytes(at); others != 0; others &= others - 1) {
      const char* other = at + __builtin_ctz(others);
      if (!are_colours(other, end, colours)) return other;
    }
  }
  while (at < end && (is_plain(static_cast<unsigned char>(*at)) || are_colours(at, end, colours)))
    at++;
  return at;
}

}  // namespace

const char* end_of_plain_text(const char* at, const char* end, bool utf8, Colours& colours) {
  while (true) {
    at = end_of_ascii(at, end, colours);
    if (at == end || static_cast<unsigned char>(*at) < 0x80) return at;
    // Text with many such characters stays in this loop; a blank between words does not end it.
    while (at < end && (static_cast<unsigned char>(*at) >= 0x80 || *at == ' ')) {
      if (*at == ' ') {
        at++;
      } else if (!utf8) {
        if (static_cast<unsigned char>(*at) < 0xa0) return at;
        at++;
      } else {
        Character character = decode(at, end);
        if (character.kind != Character::Kind::valid) return at;
        at += character.length;
      }
    }
  }
}

}  // namespace ringwall::terminal
