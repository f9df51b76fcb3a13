#include "policy/wildcard.h"

#include "policy/pattern.h"

namespace ringwall::policy {
namespace {

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
constexpr char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }

template <Letters letters>
constexpr bool is_same(char a, char b) {
  return letters == Letters::exact ? a == b : lower(a) == lower(b);
}

template <Letters letters>
bool is_member(char c, const PatternClass& found) {
  auto has = [&](char one) { return found.members[static_cast<unsigned char>(one)]; };
  bool is_in = letters == Letters::exact ? has(c) : has(lower(c)) || has(upper(c));
  return is_in != found.is_negated;
}

// One character against whatever stands at `at`: how many bytes of the part that takes, 0 if it
// does not fit.
template <Letters letters>
inline size_t fit_one(char c, std::string_view part, size_t at) {
  char wanted = part[at];
  if (wanted == '?') return c == '/' ? 0 : 1;
  if (wanted == '[') {
    if (auto found = read_class(part, at))
      return c != '/' && is_member<letters>(c, *found) ? found->end - at : 0;
  }
  if (wanted == '\\' && at + 1 < part.size()) return is_same<letters>(part[at + 1], c) ? 2 : 0;
  return is_same<letters>(wanted, c) ? 1 : 0;
}

template <Letters letters>
bool fits(std::string_view name, std::string_view part) {
  size_t at = 0;
  size_t in_part = 0;
  size_t star = std::string_view::npos;  // the last star seen, and what it took so far ends here
  size_t taken = 0;
  while (at < name.size()) {
    if (in_part < part.size() && part[in_part] == '*') {
      star = in_part++;
      taken = at;
    } else if (size_t took =
                   in_part < part.size() ? fit_one<letters>(name[at], part, in_part) : 0) {
      at++;
      in_part += took;
    } else if (star != std::string_view::npos && name[taken] != '/') {
      in_part = star + 1;
      at = ++taken;
    } else {
      return false;
    }
  }
  while (in_part < part.size() && part[in_part] == '*')
    in_part++;
  return in_part == part.size();
}

}  // namespace

bool fits_wildcard(std::string_view name, std::string_view part, Letters letters) {
  return letters == Letters::exact ? fits<Letters::exact>(name, part)
                                   : fits<Letters::any_case>(name, part);
}

}  // namespace ringwall::policy
