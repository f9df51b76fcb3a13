// A second opinion on what the terminal filter lets through: a small reader of its own that knows
// only what must never come out, and shares no code and no table with the filter.
#pragma once

#include <string_view>

namespace ringwall::fuzz {

// What is wrong with this output, or nullptr.
const char* complaint_about(std::string_view output, bool utf8, bool clipboard_granted);

}  // namespace ringwall::fuzz
