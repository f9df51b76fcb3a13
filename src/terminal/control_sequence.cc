#include "terminal/control_sequence.h"

namespace ringwall::terminal {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Reads the parameters from `at` on; false where they are too many or too large.
bool parse_parameters(std::string_view body, size_t& at, ControlSequence& sequence) {
  if (at == body.size() || !(is_digit(body[at]) || body[at] == ';' || body[at] == ':')) return true;
  bool joined = false;
  while (true) {
    if (sequence.count == kMostParameters) return false;
    uint32_t value = 0;
    size_t start = at;
    while (at < body.size() && is_digit(body[at])) {
      if (at - start == kMostDigits) return false;
      value = value * 10 + static_cast<uint32_t>(body[at++] - '0');
    }
    if (value > UINT16_MAX) return false;
    if (joined) sequence.joined |= 1U << sequence.count;
    sequence.values[sequence.count++] = static_cast<uint16_t>(value);
    if (at == body.size() || (body[at] != ';' && body[at] != ':')) return true;
    joined = body[at++] == ':';
  }
}

}  // namespace

bool parse_control_sequence(std::string_view body, ControlSequence& sequence) {
  sequence.marker = sequence.intermediate = sequence.final = 0;
  sequence.count = 0;
  sequence.joined = 0;
  size_t at = 0;
  if (!body.empty() && body[0] >= '<' && body[0] <= '?') sequence.marker = body[at++];
  if (!parse_parameters(body, at, sequence)) return false;
  if (at < body.size() && body[at] >= 0x20 && body[at] <= 0x2f) sequence.intermediate = body[at++];
  if (at + 1 != body.size() || body[at] < 0x40 || body[at] > 0x7e) return false;
  sequence.final = body[at];
  return true;
}

}  // namespace ringwall::terminal
