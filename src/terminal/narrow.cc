#include "terminal/narrow.h"

namespace ringwall::terminal {

std::string narrow(std::string_view utf8) {
  std::string out;
  out.reserve(utf8.size());
  for (char c : utf8) {
    auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) out += c;
    if (byte >= 0xc0) out += '?';  // its further bytes say nothing more
  }
  return out;
}

}  // namespace ringwall::terminal
