#include "policy/numbers.h"

#include <cctype>
#include <cstdio>
#include <optional>
#include <span>

namespace ringwall::policy {
namespace {

struct Unit {
  std::string_view name;  // in small letters; empty: a number without a unit
  uint64_t worth;
};

constexpr uint64_t kKilo = 1024;
constexpr uint64_t kSecond = 1000;

// The first of several names for one unit is the one that is shown.
constexpr Unit kCountUnits[] = {{"", 1}};
constexpr Unit kSizeUnits[] = {
    {"t", kKilo* kKilo* kKilo* kKilo},
    {"tb", kKilo* kKilo* kKilo* kKilo},
    {"tib", kKilo* kKilo* kKilo* kKilo},
    {"g", kKilo* kKilo* kKilo},
    {"gb", kKilo* kKilo* kKilo},
    {"gib", kKilo* kKilo* kKilo},
    {"m", kKilo* kKilo},
    {"mb", kKilo* kKilo},
    {"mib", kKilo* kKilo},
    {"k", kKilo},
    {"kb", kKilo},
    {"kib", kKilo},
    {"", 1},
    {"b", 1},
};
constexpr Unit kDurationUnits[] = {
    {"d", 86'400 * kSecond}, {"h", 3'600 * kSecond}, {"m", 60 * kSecond}, {"min", 60 * kSecond},
    {"s", kSecond},          {"", kSecond},          {"ms", 1},
};
constexpr Unit kThousandths[] = {{"", 1000}};

std::span<const Unit> units_of(Shape shape) {
  switch (shape) {
    case Shape::size:
      return kSizeUnits;
    case Shape::duration:
      return kDurationUnits;
    case Shape::processors:
    case Shape::share:
      return kThousandths;
    default:
      return kCountUnits;
  }
}

// Takes "12.5" from the start of `text`, as 125 tenths.
struct Decimal {
  uint64_t digits = 0;
  uint64_t divisor = 1;
  bool too_large = false;
};
std::optional<Decimal> take_decimal(std::string_view& text) {
  constexpr uint64_t kMostDivisor = 1'000'000;
  Decimal out;
  bool point = false;
  size_t at = 0;
  for (; at < text.size(); at++) {
    char c = text[at];
    if (c == '.' && !point && at > 0) {
      point = true;
      continue;
    }
    if (c < '0' || c > '9') break;
    out.too_large |=
        __builtin_mul_overflow(out.digits, 10, &out.digits) ||
        __builtin_add_overflow(out.digits, static_cast<uint64_t>(c - '0'), &out.digits);
    if (point && (out.divisor *= 10) > kMostDivisor) return std::nullopt;
  }
  if (at == 0 || text[at - 1] == '.') return std::nullopt;
  text.remove_prefix(at);
  return out;
}

std::optional<uint64_t> take_unit(std::string_view& text, std::span<const Unit> units) {
  size_t length = 0;
  std::string name;
  // "50 MB", as people write it.
  if (text.size() > 1 && text[0] == ' ' && text[1] != ' ') text.remove_prefix(1);
  while (length < text.size() && std::isalpha(static_cast<unsigned char>(text[length])) != 0)
    name += static_cast<char>(std::tolower(text[length++]));
  for (const Unit& unit : units) {
    if (unit.name != name) continue;
    text.remove_prefix(length);
    return unit.worth;
  }
  return std::nullopt;
}

std::unexpected<Error> malformed(Shape shape) {
  return fail("must be " + std::string(description_of(shape)));
}

}  // namespace

std::string_view description_of(Shape shape) {
  switch (shape) {
    case Shape::size:
      return "a size such as 512M or 4G";
    case Shape::duration:
      return "a time such as 90s, 30m or 2h";
    case Shape::processors:
      return "a number of processors such as 2 or 1.5";
    case Shape::share:
      return "a number from 0 to 1 such as 0.35";
    default:
      return "a whole number such as 200";
  }
}

Result<uint64_t> parse_number(Shape shape, std::string_view text) {
  uint64_t total = 0;
  do {
    auto decimal = take_decimal(text);
    auto worth = decimal ? take_unit(text, units_of(shape)) : std::nullopt;
    uint64_t part = 0;
    bool cut = worth && shape == Shape::count && decimal->divisor != 1;
    // Only times are made of several parts: "1h30m".
    bool more = !text.empty() && shape != Shape::duration;
    if (!worth || cut || more) return malformed(shape);
    if (decimal->too_large || __builtin_mul_overflow(decimal->digits, *worth, &part) ||
        __builtin_add_overflow(total, part / decimal->divisor, &total)) {
      return fail("is too much");
    }
  } while (!text.empty());
  return total;
}

std::string show_number(Shape shape, uint64_t value) {
  if (value == kNoLimit) return "none";
  if (shape == Shape::count) return std::to_string(value);
  char text[32];
  if (shape == Shape::processors || shape == Shape::share) {
    snprintf(text, sizeof text, "%g", static_cast<double>(value) / 1000);
    return text;
  }
  for (const Unit& unit : units_of(shape)) {
    // A time is not cut: 90s says more than 1.5m.
    bool cut = shape == Shape::duration && value % unit.worth != 0;
    if (unit.name.empty() || value < unit.worth || cut) continue;
    double number = static_cast<double>(value) / static_cast<double>(unit.worth);
    snprintf(text, sizeof text, value % unit.worth == 0 ? "%.0f" : "%.1f", number);
    std::string name(unit.name);
    if (shape == Shape::size) name[0] = static_cast<char>(std::toupper(name[0]));
    return text + name;
  }
  return std::to_string(value);
}

}  // namespace ringwall::policy
