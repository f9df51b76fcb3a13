// A shell text with nothing left but its structure: operators and reserved words stay, every other
// word becomes a row of x of the same length. So the grammar never sees what words are made of,
// which this room reads itself, and every byte keeps its place.
#pragma once

#include <string>
#include <string_view>

namespace ringwall::shell {

// `text` has blanks in place of here-documents.
std::string skeleton_of(std::string_view text);

// Behind the [[ … ]] or (( … )) at `at`; `at` if there is none.
size_t end_of_test(std::string_view text, size_t at);

}  // namespace ringwall::shell
