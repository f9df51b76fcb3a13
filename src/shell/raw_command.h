// One simple command taken apart into its assignments, words and redirections, each still as it is
// written: a range of the text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "shell/analysis.h"

namespace ringwall::shell {

// A here-document's operator is written with these bytes once its body was taken out.
constexpr char kDocumentByte = '\x03';

struct Range {
  size_t from = 0, to = 0;
};

struct RawAssignment {
  std::string name;
  Range subscript;        // of a[…]=
  bool adds = false;      // +=
  bool is_array = false;  // =(…); the range is what stands between
  Range value;
};

struct RawRedirection {
  Redirection::Kind kind = Redirection::Kind::read;
  int fd = 0;
  Range target;
  bool is_document = false;  // the target is the operator's place
};

struct RawCommand {
  std::vector<RawAssignment> assignments;
  std::vector<Range> words;
  std::vector<RawRedirection> redirections;
  bool is_clean = true;  // false: holds what no simple command can, a ; or a ) or an open quote
};

RawCommand read_simple_command(std::string_view text, size_t from, size_t to);

// The words of an array or of a for loop.
std::vector<Range> read_words(std::string_view text, size_t from, size_t to);

// `word` as NAME=…, NAME+=…, NAME[…]=… : true and the parts.
bool read_assignment(std::string_view text, Range word, RawAssignment& assignment);

// Where the word that starts at `at` ends.
size_t end_of_word(std::string_view text, size_t at, size_t to);

bool is_name(std::string_view text);
size_t length_of_name(std::string_view text);  // of the name that it starts with, or 0

}  // namespace ringwall::shell
