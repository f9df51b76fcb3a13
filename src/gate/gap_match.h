// Globs against texts that are only partly known. A word of a shell command may have gaps where
// unknown text will stand; a denial asks whether some filling would fit, an allow whether every one
// does.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shell/analysis.h"

namespace ringwall::gate {

// '*' is any text, also with spaces and slashes; nothing else is special.
bool fits_glob(std::string_view text, std::string_view glob);

bool may_fit(const shell::Word& text, std::string_view glob);
// Every gap lies where a '*' takes it.
bool surely_fits(const shell::Word& text, std::string_view glob);

// Words with a space between them. What may be no word or several takes its space with it.
shell::Word join_words(std::span<const shell::Word> words);

// One character of a pattern, or of a text with gaps.
struct Token {
  enum class Kind : uint8_t {
    letter,
    one,    // one character, no slash
    first,  // the same, and no dot
    name,   // any number of characters, no slash
    glob,   // the same, of one file's name in a command: no space either
    text,   // any number of characters
  };
  Kind kind = Kind::letter;
  char letter = 0;
};
std::vector<Token> tokens_of(const shell::Word& text);

// Some text fits both. ASCII case is ignored if `folds`.
bool may_overlap(std::span<const Token> a, std::span<const Token> b, bool folds);

}  // namespace ringwall::gate
