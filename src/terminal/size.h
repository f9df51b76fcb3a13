// How large a terminal is, in characters.
#pragma once

#include <algorithm>
#include <cstdint>

namespace ringwall::terminal {

struct Size {
  uint16_t rows = 0;
  uint16_t columns = 0;
  bool operator==(const Size&) const = default;
};

// A size to work with: a side of 0 means that nobody knows it, and a huge one costs memory.
inline Size usable(Size size) {
  constexpr Size kUnknown{24, 80};
  constexpr Size kMost{1000, 2000};
  auto side = [](uint16_t value, uint16_t unknown, uint16_t most) {
    return value == 0 ? unknown : std::min(value, most);
  };
  return {side(size.rows, kUnknown.rows, kMost.rows),
          side(size.columns, kUnknown.columns, kMost.columns)};
}

}  // namespace ringwall::terminal
