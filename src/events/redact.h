// Keeps secrets out of what is written down: by the name that they stand under and by their shape.
// What is taken out is replaced by a mark, so that a reader sees that something was there.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ringwall::events {

inline constexpr std::string_view kRedacted = "[redacted]";

// Tokens of known form, JSON web tokens, cloud access keys, private keys, passwords in addresses,
// "Authorization: …", NAME=VALUE and name: value where the name says that it is secret.
std::string redact(std::string_view text);

// The value of a variable, to be shown to a person who may pass it on.
std::string redact_value(std::string_view name, std::string_view value);

// How many there are whose form leaves no doubt: keys, tokens and passwords in addresses, not what
// is only named like one. In time linear in the text; no more than `most` are counted.
size_t count_secrets(std::string_view text, size_t most);

// A command's words: also the word behind "--password" and the like.
std::vector<std::string> redact_words(std::span<const std::string> words);

}  // namespace ringwall::events
