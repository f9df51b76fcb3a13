// Texts in UTF-16, which editors read without a word about it.
#pragma once

#include <string>
#include <string_view>

namespace ringwall::audit {

// In UTF-8; empty if it does not begin with a byte-order mark of UTF-16.
std::string decode_utf16(std::string_view bytes);

}  // namespace ringwall::audit
