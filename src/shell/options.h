// Reads the options of a program's words: -x, -xvalue, -x value, --name, --name=value, --name
// value.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "shell/analysis.h"

namespace ringwall::shell {

struct OptionShape {
  std::string_view short_values;  // letters of options that take a value
  std::string_view long_values;   // their long names: "user group"; a start of a name will do
  bool single_dash = false;       // -name is one option and no row of letters
};

struct Option {
  std::string name;  // -x or --name; empty for an operand
  Word value;
  bool has_value = false;
};

class OptionReader {
 public:
  OptionReader(const std::vector<Word>& words, size_t first, OptionShape shape)
      : words_(words), at_(first), shape_(shape) {}

  // The next option; false at the first operand, or behind --.
  bool next(Option& option);

  size_t at() const { return at_; }          // the first word that was not read
  bool certain() const { return certain_; }  // false: a word in between is unknown
  bool had_dashes() const { return had_dashes_; }

 private:
  void read_long(Option& option);
  void read_letter(Option& option);
  void take_value(Option& option);

  const std::vector<Word>& words_;
  size_t at_;
  OptionShape shape_;
  size_t letter_ = 0;  // in a row of letters
  bool certain_ = true;
  bool had_dashes_ = false;
};

// The same for an option as it is written: a long one may be shortened, as GNU's programs let it.
bool names_option(std::string_view options, std::string_view written);

// True if `names` ("a b c") holds `name`, or with `abbreviated` a name that starts so.
bool lists(std::string_view names, std::string_view name, bool abbreviated = false);

}  // namespace ringwall::shell
