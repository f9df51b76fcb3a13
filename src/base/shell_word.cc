#include "base/shell_word.h"

#include <algorithm>

#include "base/text.h"

namespace ringwall::text {
namespace {

std::string with_each(std::string_view text, char wanted, std::string_view instead) {
  std::string out;
  for (char c : text) {
    if (c == wanted) out += instead;
    if (c != wanted) out += c;
  }
  return out;
}

}  // namespace

std::string shell_word(std::string_view untrusted) {
  // A '~' at the beginning would be taken for a home.
  if (!untrusted.starts_with('~') && quote(untrusted) == untrusted) return std::string(untrusted);
  // A backslash is no danger on a terminal, and means itself between single quotes.
  std::string others(untrusted);
  std::erase(others, '\\');
  if (escape(others) == others) return "'" + with_each(untrusted, '\'', "'\\''") + "'";
  return "$'" + with_each(escape(untrusted), '\'', "\\'") + "'";
}

}  // namespace ringwall::text
