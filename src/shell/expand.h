// From a word as it is written to the words that a program would get: quotes, variables,
// substitutions, braces, globs, splitting. What only the running shell could know stays a gap.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shell/analysis.h"
#include "shell/pieces.h"
#include "shell/raw_command.h"
#include "shell/state.h"

namespace ringwall::shell {

// Where something may be one of several: all combinations are gone through, one after the other.
class Choices {
 public:
  // Which of the `count` to take this time; the same answer for the same key.
  size_t choose(std::string_view key, size_t count);

  bool next();  // to the next combination; false if all were had
  bool were_needed() const { return !wheels_.empty(); }
  bool were_too_many() const { return too_many_; }

 private:
  struct Wheel {
    std::string key;
    size_t count = 0, at = 0;
  };
  std::vector<Wheel> wheels_;
  bool too_many_ = false;
};

// Who looks into what stands in $(…), `…`, <(…) and >(…).
class Substituter {
 public:
  struct Found {
    Word output;
    std::vector<size_t> acts;
  };
  virtual ~Substituter() = default;
  virtual Found look_into(std::string_view code, size_t at, bool is_exact) = 0;
  virtual void doubt(std::string why, size_t from, size_t to) = 0;
};

class Expander {
 public:
  // `text` and `original` are of one length: in the first, here-documents are blank.
  Expander(std::string_view text, std::string_view original, State& state, Choices& choices,
           Substituter& substituter)
      : text_(text),
        original_(original),
        state_(state),
        choices_(choices),
        substituter_(substituter) {}

  std::vector<Word> fields(Range word);
  Word value(Range word);                   // of an assignment, a redirection …: one word
  Word quoted(Range text);                  // the body of a here-document
  void look_for_substitutions(Range text);  // in arithmetic, tests and subscripts

  bool may_be_plain = false;  // the shell may be one that knows no {a,b}, as sh often is

  std::vector<size_t> read_acts;         // behind <(…)
  std::optional<Word> read_text;         // what the last <(…) gives, if it is known
  std::vector<size_t> substituted_acts;  // behind $(…)

 private:
  friend class ParameterReader;

  void read_pieces(Range range, bool in_quotes, Pieces& pieces);
  size_t read_quotes(Range range, bool in_quotes, Pieces& pieces);
  size_t read_dollar(Range range, bool in_quotes, Pieces& pieces);
  size_t read_backticks(Range range, bool in_quotes, Pieces& pieces);
  size_t read_process(Range range, Pieces& pieces);

  void add_value(Pieces& pieces, std::vector<Word> values, bool in_quotes);
  Word substitute(Range code, bool is_exact, std::string_view text, std::vector<size_t>& acts);
  std::vector<Word> values_of(std::string_view name, bool in_quotes);
  std::vector<Word> parameter(Range inside, bool in_quotes);  // what stands in ${…}
  FieldRules rules();

  std::string_view text_, original_;
  State& state_;
  Choices& choices_;
  Substituter& substituter_;
  int depth_ = 0;
  std::string separators_;
};

}  // namespace ringwall::shell
