// Characters of a page that are written as numbers: "&#58;" and "&#x3a;".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "instructions/code_points.h"

namespace ringwall::instructions {

// The one at the beginning of `rest`, with the bytes it takes. As browsers do, without asking for
// the semicolon.
std::optional<CodePoint> character_reference_at(std::string_view rest);

// As a reader of the page sees it.
std::string with_references_resolved(std::string_view text);

}  // namespace ringwall::instructions
