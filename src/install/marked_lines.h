// Lines of ours in a text file of the person's, between two marks.
#pragma once

#include <string>
#include <string_view>

namespace ringwall::install {

bool has_marked_lines(std::string_view text);

// At the end; in place of those that are there.
std::string with_marked_lines(std::string_view text, std::string_view lines);

// The first mark is there, and the second is not: nobody can tell where they end.
bool has_open_mark(std::string_view text);

// As it was before with_marked_lines(), but for what was changed around them.
std::string without_marked_lines(std::string_view text);

}  // namespace ringwall::install
