// Making and joining words of which a part may be unknown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shell/analysis.h"

namespace ringwall::shell {

// In a text that is read again as shell code, an unknown part is one of these bytes.
constexpr char kTextGapByte = '\x01';
constexpr char kNameGapByte = '\x02';

Word literal_word(std::string_view text);
Word unknown_word(bool splits = false);

void add_gap(Word& word, Word::Gap::Kind kind);
void append(Word& to, const Word& from);  // splits if one of them does

bool same(const Word& a, const Word& b);

// Without gaps, or with its gaps as bytes.
std::string to_code(const Word& word);
Word from_code(std::string_view text);

// `word` from offset `from` on, `length` bytes of it.
Word part_of(const Word& word, size_t from, size_t length = std::string::npos);

// The text of the word up to its first gap.
std::string_view known_start(const Word& word);

// With one space between two.
Word joined(const std::vector<Word>& words, size_t first = 0);

// For a person: … where something is unknown.
std::string shown(const Word& word);

// In '…', so that a shell reads it as one word that means itself.
std::string quoted_for_shell(std::string_view text);

}  // namespace ringwall::shell
