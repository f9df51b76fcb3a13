// Styles of a page that leave nothing to see: colours like the ground they stand on, no size, no
// opacity, a place outside of the page.
#pragma once

#include <string>
#include <string_view>

namespace ringwall::instructions {

// In small letters, as a browser takes it: without comments and without the escapes of style
// sheets, "\61" or "\61 ".
std::string resolve_css(std::string_view css);

// The declarations of a rule or a style attribute, as they are written.
bool hides_text(std::string_view declarations);

// A colour alone, as <font color=…> has it: almost white or transparent.
bool is_invisible_colour(std::string_view colour);

}  // namespace ringwall::instructions
