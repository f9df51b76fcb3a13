#include "instructions/invisible_style.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include "base/text.h"

namespace ringwall::instructions {
namespace {

constexpr double kAlmostNothing = 0.1;  // of opacity
constexpr double kAlmostWhite = 240;    // of 255, each part
constexpr double kAlike = 24;           // parts of two colours

struct Colour {
  double red = 0, green = 0, blue = 0, alpha = 1;
};

// The number at the beginning of a text; what follows it is its unit.
std::optional<double> number_of(std::string_view text, std::string_view* unit = nullptr) {
  double value = 0;
  auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc()) return std::nullopt;
  if (unit != nullptr) *unit = text.substr(static_cast<size_t>(read.ptr - text.data()));
  return value;
}

std::optional<Colour> read_hex(std::string_view digits) {
  bool is_short = digits.size() == 3 || digits.size() == 4;
  if (!is_short && digits.size() != 6 && digits.size() != 8) return std::nullopt;
  std::array<double, 4> parts{0, 0, 0, 255};
  size_t width = is_short ? 1 : 2;
  for (size_t i = 0; i * width < digits.size(); i++) {
    unsigned value = 0;
    std::string_view part = digits.substr(i * width, width);
    auto read = std::from_chars(part.data(), part.data() + part.size(), value, 16);
    if (read.ptr != part.data() + part.size()) return std::nullopt;
    parts[i] = is_short ? value * 17 : value;
  }
  return Colour{parts[0], parts[1], parts[2], parts[3] / 255};
}

// Numbers of "rgb(255, 255 100% / 0.5)": a percentage is one of `whole`.
std::vector<double> read_parts(std::string_view inside, double whole) {
  std::vector<double> parts;
  for (size_t at = 0; at < inside.size() && parts.size() < 4;) {
    at = inside.find_first_of("-.0123456789", at);
    if (at == std::string_view::npos) break;
    std::string_view unit;
    std::optional<double> value = number_of(inside.substr(at), &unit);
    if (!value) {
      at++;
      continue;
    }
    bool is_share = unit.starts_with('%');
    double full = parts.size() == 3 ? 1 : whole;
    parts.push_back(is_share ? *value / 100 * full : *value);
    at = inside.size() - unit.size();
  }
  return parts;
}

std::optional<Colour> read_colour(std::string_view value) {
  value = text::trim(value);
  if (value.starts_with('#')) return read_hex(value.substr(1, value.find_first_of(" !;") - 1));
  if (value.starts_with("transparent")) return Colour{0, 0, 0, 0};
  for (std::string_view white : {"white", "snow", "ivory", "ghostwhite", "whitesmoke",
                                 "floralwhite", "azure", "mintcream", "seashell"}) {
    if (value.starts_with(white)) return Colour{255, 255, 255, 1};
  }
  if (value.starts_with("black")) return Colour{0, 0, 0, 1};
  size_t open = value.find('(');
  if (open == std::string_view::npos) return std::nullopt;
  std::string_view inside = value.substr(open + 1, value.find(')') - open - 1);
  if (value.starts_with("rgb")) {
    std::vector<double> parts = read_parts(inside, 255);
    if (parts.size() < 3) return std::nullopt;
    return Colour{parts[0], parts[1], parts[2], parts.size() > 3 ? parts[3] : 1};
  }
  if (value.starts_with("hsl")) {
    std::vector<double> parts = read_parts(inside, 1);
    if (parts.size() < 3) return std::nullopt;
    // Of its lightness alone: grey as far as it matters here.
    double grey = parts[2] * 255;
    return Colour{grey, grey, grey, parts.size() > 3 ? parts[3] : 1};
  }
  return std::nullopt;
}

bool is_alike(const Colour& a, const Colour& b) {
  return std::abs(a.red - b.red) < kAlike && std::abs(a.green - b.green) < kAlike &&
         std::abs(a.blue - b.blue) < kAlike;
}

bool is_almost_white(const Colour& colour) {
  return std::min({colour.red, colour.green, colour.blue}) >= kAlmostWhite;
}

using Declarations = std::map<std::string, std::string, std::less<>>;

Declarations read_declarations(std::string_view text) {
  Declarations read;
  for (std::string_view part : text::split_in_place(text, ';')) {
    size_t colon = part.find(':');
    if (colon == std::string_view::npos) continue;
    read[std::string(text::trim(part.substr(0, colon)))] = text::trim(part.substr(colon + 1));
  }
  return read;
}

std::string_view value_of(const Declarations& all, std::string_view name) {
  auto found = all.find(name);
  return found == all.end() ? std::string_view() : std::string_view(found->second);
}

bool is_clear(const Colour& colour) { return colour.alpha < kAlmostNothing; }

bool hides_by_colour(const Declarations& all) {
  std::string_view own = value_of(all, "color");
  if (own.empty()) own = value_of(all, "-webkit-text-fill-color");
  std::optional<Colour> colour = read_colour(own);
  if (!colour) return false;
  if (is_clear(*colour)) return true;
  std::optional<Colour> ground = read_colour(value_of(all, "background-color"));
  if (!ground) ground = read_colour(value_of(all, "background"));
  return ground ? is_alike(*colour, *ground) : is_almost_white(*colour);
}

// The first number of "name(1, 2)", wherever that stands in a value.
std::optional<double> argument_of(std::string_view value, std::string_view name) {
  size_t at = value.find(name);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = value.substr(at + name.size());
  if (!rest.starts_with('(')) return std::nullopt;
  return number_of(text::trim(rest.substr(1)));
}

bool hides_by_size(const Declarations& all) {
  std::string_view unit;
  if (auto opacity = number_of(value_of(all, "opacity"), &unit))
    if (*opacity / (unit.starts_with('%') ? 100 : 1) < kAlmostNothing) return true;
  auto size = number_of(value_of(all, "font-size"), &unit);
  bool is_relative = unit.starts_with("em") || unit.starts_with("rem");
  double tiny = is_relative ? 0.15 : unit.starts_with('%') ? 15 : 2.5;
  if (size && *size < tiny) return true;
  std::string_view overflow = value_of(all, "overflow");
  bool is_cut = overflow.starts_with("hidden") || overflow.starts_with("clip");
  for (std::string_view name : {"width", "height", "max-width", "max-height"}) {
    auto length = number_of(value_of(all, name), &unit);
    if (!length || (!unit.empty() && !unit.starts_with("px"))) continue;
    // What hides the rest of it may stand in a sheet that is not in this text.
    if (*length == 0 && name.ends_with("height")) return true;
    if (*length <= 1 && is_cut) return true;
  }
  auto scale = argument_of(value_of(all, "transform"), "scale");
  return scale && std::abs(*scale) < kAlmostNothing;
}

// No page is as wide or as high.
bool is_far_out(std::string_view value) {
  std::string_view unit;
  auto length = number_of(value, &unit);
  if (!length) return false;
  bool is_of_letters = unit.starts_with("em") || unit.starts_with("rem") || unit.starts_with("ch");
  bool is_of_page = unit.starts_with('%') || unit.starts_with("vw") || unit.starts_with("vh");
  return *length <= (is_of_page ? -100 : is_of_letters ? -50 : -900);
}

bool hides_by_place(const Declarations& all) {
  for (std::string_view name :
       {"left", "right", "top", "bottom", "margin-left", "margin-top", "text-indent"}) {
    if (is_far_out(value_of(all, name))) return true;
  }
  std::string_view clip = value_of(all, "clip-path");
  if (argument_of(clip, "inset").value_or(0) >= 50) return true;
  for (std::string_view shape : {"circle", "ellipse"}) {
    if (argument_of(clip, shape).value_or(100) <= 1) return true;
  }
  if (clip.starts_with("polygon(0 0, 0 0") || clip.starts_with("polygon(0 0,0 0")) return true;
  return argument_of(value_of(all, "clip"), "rect") == 0.0;
}

}  // namespace

std::string resolve_css(std::string_view css) {
  std::string out;
  for (size_t i = 0; i < css.size(); i++) {
    if (css.substr(i, 2) == "/*") {
      size_t end = css.find("*/", i + 2);
      if (end == std::string_view::npos) break;
      i = end + 1;
      continue;
    }
    if (css[i] != '\\' || i + 1 >= css.size()) {
      out += css[i];
      continue;
    }
    std::string_view digits = css.substr(i + 1, 6);
    unsigned code = 0;
    auto read = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    size_t count = static_cast<size_t>(read.ptr - digits.data());
    if (count == 0) continue;  // an escaped character stands for itself
    if (code < 0x80) out += static_cast<char>(code);
    i += count;
    if (i + 1 < css.size() && css[i + 1] == ' ') i++;
  }
  return text::in_small_letters(out);
}

bool hides_text(std::string_view declarations) {
  Declarations all = read_declarations(resolve_css(declarations));
  std::string_view visibility = value_of(all, "visibility");
  return value_of(all, "display").starts_with("none") || visibility.starts_with("hidden") ||
         visibility.starts_with("collapse") || hides_by_colour(all) || hides_by_size(all) ||
         hides_by_place(all);
}

bool is_invisible_colour(std::string_view colour) {
  std::optional<Colour> read = read_colour(text::in_small_letters(colour));
  return read && (is_clear(*read) || is_almost_white(*read));
}

}  // namespace ringwall::instructions
