// Between the written word and the words that a program gets: pieces that remember whether they
// were quoted, the expansion of braces over them, and their splitting into fields.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shell/analysis.h"

namespace ringwall::shell {

struct Piece {
  enum class Kind : uint8_t {
    plain,   // unquoted text: globs, tildes and braces mean something
    quoted,  // text that means itself
    value,   // of an expansion
  };
  Kind kind = Kind::plain;
  std::string text;
  std::vector<Word> values;  // of an expansion: one, or several for arrays and $@
  bool is_quoted = false;    // an expansion in double quotes
};

using Pieces = std::vector<Piece>;

void add_plain(Pieces& pieces, std::string_view text);
void add_quoted(Pieces& pieces, std::string_view text);

// {a,b} and {1..3}; false if there are more than anybody needs, then the word stays as it is.
bool expand_braces(const Pieces& pieces, std::vector<Pieces>& out);

struct FieldRules {
  std::string_view separators;        // IFS
  const std::string* home = nullptr;  // for a tilde; unknown if none
  bool splits = true;                 // false in assignments and redirections
  bool globs = true;
};

// The words that the pieces become; none if all of them are empty expansions.
std::vector<Word> to_fields(const Pieces& pieces, const FieldRules& rules);

// $'…' without its quotes.
std::string decode_ansi_c(std::string_view text);

}  // namespace ringwall::shell
