// Characters that a reader does not see, or that change what is seen: found, decoded where they
// spell something, and taken away.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "instructions/result_scan.h"

namespace ringwall::instructions {

// Adds what is hidden by characters alone.
void find_hidden_characters(std::string_view text, std::vector<Finding>& findings);

// Adds what a terminal would obey, beyond colours.
void find_terminal_escapes(std::string_view text, std::vector<Finding>& findings);

// Without controls, terminal escapes, tags, marks that turn text and characters without width.
// What scripts and emoji need (joiners between their letters, one variation selector, flags) stays.
std::string without_hidden(std::string_view text);

// At most eighty characters of the text from `at` on, in which everything can be seen.
std::string excerpt_of(std::string_view text, size_t at);

}  // namespace ringwall::instructions
