// Where quotes, substitutions and here-documents of a shell text begin and end: one pass from left
// to right, without recursion.
//
// Here-documents are found here and not by the grammar, because where their bodies end depends on
// words that the text itself chooses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ringwall::shell {

// Deeper than this nobody writes by hand.
constexpr size_t kDeepestNesting = 100;

struct HereDocument {
  size_t at = 0;     // of its << in the text
  size_t after = 0;  // behind the delimiter
  std::string delimiter;
  bool raw = false;  // nothing in the body is expanded
  bool strips_tabs = false;
  size_t from = 0, to = 0;  // the body
  size_t end = 0;           // behind the line that ends it
  bool ended = false;       // its last line was found
};

struct Nesting {
  std::vector<HereDocument> documents;
  bool too_deep = false;
  bool open_at_end = false;  // a quote or a substitution was not closed
};

Nesting nesting_of(std::string_view text);

// `at` is just behind $(, <(, ${, $((, ` or ": the offset of what closes it (for $(( of the first
// of the two), or npos.
size_t end_of_parentheses(std::string_view text, size_t at);
size_t end_of_braces(std::string_view text, size_t at, bool in_double_quotes);
size_t end_of_arithmetic(std::string_view text, size_t at);
size_t end_of_backticks(std::string_view text, size_t at);
size_t end_of_double_quotes(std::string_view text, size_t at);
// Just behind +( and the like, where a # begins no comment.
size_t end_of_pattern(std::string_view text, size_t at);

// `at` is just behind a ' (or $' if `escapes`).
size_t end_of_single_quotes(std::string_view text, size_t at, bool escapes);

// True if what stands in ((…)) or $((…)) is arithmetic and not a subshell in a substitution.
bool is_arithmetic(std::string_view text, size_t at);

}  // namespace ringwall::shell
