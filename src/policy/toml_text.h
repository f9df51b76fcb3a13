// Texts that others chose, in a policy file that we write.
#pragma once

#include <string>
#include <string_view>

namespace ringwall::policy {

// A TOML string of a text that is UTF-8: it means the same, and nothing in it ends the string.
std::string in_toml_quotes(std::string_view text);

// For a comment: nothing in it ends the line or reaches a terminal.
std::string in_toml_comment(std::string_view text);

// TOML has no other texts.
bool is_utf8(std::string_view text);

}  // namespace ringwall::policy
