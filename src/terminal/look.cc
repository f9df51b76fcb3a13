#include "terminal/look.h"

#include <algorithm>

namespace ringwall::terminal {
namespace {

using Underline = Look::Underline;

// The attributes that are on or off, with the numbers that turn them so.
struct Switch {
  bool Look::*member;
  int on;
  int off;
};
constexpr Switch kSwitches[] = {
    {&Look::bold, 1, 22},    {&Look::faint, 2, 22},  {&Look::italic, 3, 23}, {&Look::blink, 5, 25},
    {&Look::reverse, 7, 27}, {&Look::hidden, 8, 28}, {&Look::strike, 9, 29},
};

uint8_t byte_of(int value) { return static_cast<uint8_t>(std::clamp(value, 0, 255)); }

Colour indexed(int index) { return {Colour::Kind::indexed, byte_of(index)}; }

size_t end_of_group(const Sequence& sgr, size_t first) {
  size_t end = first + 1;
  while (end < sgr.count && sgr.parameters[end].joined)
    end++;
  return end;
}

// The colour of "38;5;N", "38;2;R;G;B" and their forms with colons. Returns where it ends.
size_t read_colour(const Sequence& sgr, size_t first, Colour& colour) {
  size_t end = end_of_group(sgr, first);
  bool joined = end > first + 1;
  size_t left = (joined ? end : sgr.count) - first;
  int kind = sgr.value(first + 1, -1);
  if (kind == 5 && left >= 3) {
    colour = indexed(sgr.value(first + 2, 0));
    return joined ? end : first + 3;
  }
  if (kind == 2 && left >= 5) {
    // With colons a colour space may stand before the three: 38:2::R:G:B
    size_t at = first + (joined && left >= 6 ? 3 : 2);
    colour = {Colour::Kind::rgb, byte_of(sgr.value(at, 0)), byte_of(sgr.value(at + 1, 0)),
              byte_of(sgr.value(at + 2, 0))};
    return joined ? end : first + 5;
  }
  // Broken or unknown: its numbers must not be taken for attributes.
  return joined ? end : sgr.count;
}

Underline underline_of(int style) {
  switch (style) {
    case 0:
      return Underline::none;
    case 2:
      return Underline::twofold;
    case 3:
      return Underline::curly;
    default:
      return Underline::single;  // dotted and dashed too
  }
}

bool apply_colour(Look& look, int number) {
  if (number >= 30 && number <= 37) {
    look.foreground = indexed(number - 30);
  } else if (number >= 90 && number <= 97) {
    look.foreground = indexed(number - 90 + 8);
  } else if (number == 39) {
    look.foreground = {};
  } else if (number >= 40 && number <= 47) {
    look.background = indexed(number - 40);
  } else if (number >= 100 && number <= 107) {
    look.background = indexed(number - 100 + 8);
  } else if (number == 49) {
    look.background = {};
  } else {
    return false;
  }
  return true;
}

void apply_number(Look& look, int number) {
  if (number == 0) look = {};
  if (number == 21) look.underline = Underline::twofold;
  if (number == 24) look.underline = Underline::none;
  if (number == 6) look.blink = true;
  if (apply_colour(look, number)) return;
  for (const Switch& attribute : kSwitches) {
    if (number == attribute.on) look.*attribute.member = true;
    if (number == attribute.off) look.*attribute.member = false;
  }
}

void add(std::string& parameters, const std::string& more) {
  if (!parameters.empty()) parameters += ';';
  parameters += more;
}

std::string colour_parameters(const Colour& colour, int base) {
  int index = colour.red;
  switch (colour.kind) {
    case Colour::Kind::standard:
      return std::to_string(base + 9);
    case Colour::Kind::indexed:
      if (index < 8) return std::to_string(base + index);
      if (index < 16) return std::to_string(base + 60 + index - 8);
      return std::to_string(base + 8) + ";5;" + std::to_string(index);
    case Colour::Kind::rgb:
      break;
  }
  return std::to_string(base + 8) + ";2;" + std::to_string(colour.red) + ";" +
         std::to_string(colour.green) + ";" + std::to_string(colour.blue);
}

const char* underline_parameter(Underline underline) {
  switch (underline) {
    case Underline::none:
      return "24";
    case Underline::single:
      return "4";
    case Underline::twofold:
      return "21";
    case Underline::curly:
      break;
  }
  return "4:3";
}

std::string parameters_between(const Look& before, const Look& after) {
  std::string parameters;
  for (const Switch& attribute : kSwitches) {
    if (after.*attribute.member && !(before.*attribute.member))
      add(parameters, std::to_string(attribute.on));
  }
  if (after.underline != before.underline) add(parameters, underline_parameter(after.underline));
  if (after.foreground != before.foreground)
    add(parameters, colour_parameters(after.foreground, 30));
  if (after.background != before.background)
    add(parameters, colour_parameters(after.background, 40));
  return parameters;
}

}  // namespace

void Look::apply(const Sequence& sgr) {
  if (sgr.count == 0) *this = {};
  for (size_t at = 0; at < sgr.count;) {
    size_t end = end_of_group(sgr, at);
    int number = sgr.value(at, 0);
    Colour of_underline;  // passed over
    if (number == 38) {
      end = read_colour(sgr, at, foreground);
    } else if (number == 48) {
      end = read_colour(sgr, at, background);
    } else if (number == 58) {
      end = read_colour(sgr, at, of_underline);
    } else if (number == 4) {
      underline = underline_of(end > at + 1 ? sgr.value(at + 1, 1) : 1);
    } else if (end == at + 1) {
      apply_number(*this, number);
    }
    at = end;
  }
}

std::string change(const Look& before, const Look& after) {
  if (before == after) return "";
  if (after == Look{}) return "\x1b[m";
  bool some_go = before.underline != Underline::none && after.underline == Underline::none;
  for (const Switch& attribute : kSwitches)
    some_go = some_go || (before.*attribute.member && !(after.*attribute.member));
  // Turning off one by one is longer, and 22 stands for two of them.
  std::string parameters =
      some_go ? "0;" + parameters_between({}, after) : parameters_between(before, after);
  return "\x1b[" + parameters + "m";
}

}  // namespace ringwall::terminal
