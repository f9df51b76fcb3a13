// Text in columns: how wide it is on a screen, cut or filled to a width, broken into lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ringwall::layout {

// Columns that a text takes: bytes of UTF-8 that go on a character take none, and some characters
// two.
size_t columns(std::string_view text);

// Cut (with "…") or filled with blanks to exactly `width` columns.
std::string fit(std::string_view text, size_t width);

// Filled with blanks to at least `width` columns, never cut.
std::string pad(std::string_view text, size_t width);

// Lines of at most `width` columns, broken at spaces; a longer word has a line of its own.
std::vector<std::string> wrap(std::string_view text, size_t width);

// Columns of the terminal at `fd`, within the bounds; `least` if it is none.
size_t screen_width(int fd, size_t least, size_t most);

}  // namespace ringwall::layout
