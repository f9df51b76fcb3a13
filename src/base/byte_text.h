// Names are bytes, JSON is UTF-8: a way to write any bytes as plain text and to read them back.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ringwall {

// Whatever is not a visible character of ASCII, and '%' itself, becomes %xx.
std::string text_of_bytes(std::string_view bytes);

// Nothing if it is not what text_of_bytes() writes. A space may stand as it is.
std::optional<std::string> bytes_of_text(std::string_view text);

bool is_hex_digit(char c);  // as written here: 0 to 9, a to f

}  // namespace ringwall
