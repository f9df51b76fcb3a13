// Text for people: quoting what others chose, lists, and "did you mean".
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ringwall::text {

// The one function through which names chosen by others (files, programs, variables) reach a
// terminal or a log: control bytes, escape sequences, bidirectional marks and broken UTF-8 become
// \xNN, the rest stays; quoted with '...' when it holds anything beyond plain words, so that it can
// be copied to a shell.
std::string quote(std::string_view untrusted);

// The same without quotes, for a sentence that others had a part in.
std::string escape(std::string_view untrusted);

// JSON text in which nothing is left that a terminal obeys or a reader stumbles over: broken UTF-8,
// controls and marks that turn or hide text, which only stand in strings, become escapes.
std::string harmless_json(std::string_view serialized);

// A to Z become a to z; the rest stays, whatever the locale.
std::string in_small_letters(std::string_view text);

std::string join(std::span<const std::string> parts, std::string_view separator);
std::vector<std::string> split(std::string_view text, char separator);
std::vector<std::string_view> split_in_place(std::string_view text, char separator);  // no copies
std::string_view trim(std::string_view text);

// `pattern` is a name, or a start or an end of one with a star: "LC_*", "*_PROXY".
bool matches(std::string_view name, std::string_view pattern);

// The candidate nearest to `word`, or empty if none is near enough to be what was meant.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

}  // namespace ringwall::text
