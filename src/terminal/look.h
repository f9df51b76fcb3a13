// How one character looks: colours and attributes as SGR sequences set them, for the screen.
#pragma once

#include <cstdint>
#include <string>

#include "terminal/tokens.h"

namespace ringwall::terminal {

struct Colour {
  enum class Kind : uint8_t { standard, indexed, rgb } kind = Kind::standard;
  uint8_t red = 0, green = 0, blue = 0;  // an index stands in `red`
  bool operator==(const Colour&) const = default;
};

struct Look {
  enum class Underline : uint8_t { none, single, twofold, curly };

  bool bold = false;
  bool faint = false;
  bool italic = false;
  bool blink = false;
  bool reverse = false;
  bool hidden = false;
  bool strike = false;
  Underline underline = Underline::none;
  Colour foreground;
  Colour background;
  bool operator==(const Look&) const = default;

  // Takes the parameters of an SGR sequence in; unknown ones change nothing.
  void apply(const Sequence& sgr);
};

// A short SGR sequence that turns `before` into `after`; empty if they are the same.
std::string change(const Look& before, const Look& after);

}  // namespace ringwall::terminal
