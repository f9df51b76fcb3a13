// A control sequence (CSI …) taken apart: marker, parameters, intermediates, final byte.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace ringwall::terminal {

constexpr unsigned kMostParameters = 32;  // terminals differ in what they do with more
constexpr unsigned kMostDigits = 5;       // and with numbers that overflow

struct ControlSequence {
  char marker = 0;        // one of < = > ? or 0
  char intermediate = 0;  // 0x20 to 0x2f, or 0; no sequence in use has two
  char final = 0;
  uint8_t count = 0;    // of parameters; an omitted one has the value 0
  uint32_t joined = 0;  // bit i: parameter i hangs on the one before by a colon
  std::array<uint16_t, kMostParameters> values;  // only the first `count` are set

  uint16_t value(unsigned i) const { return i < count ? values[i] : uint16_t{0}; }
  bool is_joined(unsigned i) const { return i < count && ((joined >> i) & 1U) != 0; }
};

// `body` is what follows CSI, up to and with the final byte. False if terminals could read it in
// different ways: a marker in the middle, numbers after an intermediate, too many or too large.
bool parse_control_sequence(std::string_view body, ControlSequence& sequence);

}  // namespace ringwall::terminal
