#include "gate/process_match.h"

#include <regex.h>

#include <algorithm>

#include "base/text.h"
#include "gate/flag_match.h"

namespace ringwall::gate {
namespace {

using shell::Word;

constexpr std::string_view kName = "ringwall";
constexpr size_t kMostActs = 200;

bool mentions(const Word& word) {
  return text::in_small_letters(word.text).find(kName) != std::string::npos;
}

// As pkill reads it. What is no expression ends nothing.
bool fits_name(const std::string& expression) {
  regex_t compiled;
  constexpr int kFlags = REG_EXTENDED | REG_NOSUB | REG_ICASE;
  if (expression.empty() || regcomp(&compiled, expression.c_str(), kFlags) != 0) return false;
  bool fits = regexec(&compiled, "ringwall", 0, nullptr, 0) == 0 ||
              regexec(&compiled, "ringwall-guard", 0, nullptr, 0) == 0;
  regfree(&compiled);
  return fits;
}

bool is_numbered(std::string_view program) { return is_listed("kill|skill", program); }

}  // namespace

bool names_every_process(const Operands& operands) {
  if (operands.all.size() < 2) return false;
  return std::any_of(operands.all.begin() + 1, operands.all.end(),
                     [](const Word* word) { return word->gaps.empty() && word->text == "-1"; });
}

FromThere names_ringwall(const shell::Analysis& analysis, const Operands& operands) {
  const auto& words = operands.words;
  if (std::any_of(words.begin(), words.end(), [](const Word* word) { return mentions(*word); }))
    return FromThere::yes;
  bool is_unknown =
      operands.may_be_more ||
      std::any_of(words.begin(), words.end(), [](const Word* word) { return !word->gaps.empty(); });
  if (is_numbered(operands.program)) {
    // Of a longer line it is taken for granted.
    bool is_sought = analysis.acts.size() > kMostActs ||
                     std::any_of(analysis.acts.begin(), analysis.acts.end(), [](const auto& act) {
                       return std::any_of(act.words.begin(), act.words.end(), mentions);
                     });
    return is_unknown && is_sought ? FromThere::may : FromThere::no;
  }
  bool is_expression =
      is_listed("pkill|pgrep", operands.program) ||
      std::any_of(operands.flags.begin(), operands.flags.end(), [](const Word* flag) {
        return is_flag(flag->text, "-r") || is_flag(flag->text, "--regexp");
      });
  // Short words before the last are users and the like.
  bool fits = is_expression && std::any_of(words.begin(), words.end(), [&](const Word* word) {
                bool may_be_name = word == words.back() || word->text.size() > 2;
                return word->gaps.empty() && may_be_name && fits_name(word->text);
              });
  if (fits) return FromThere::yes;
  return is_unknown ? FromThere::may : FromThere::no;
}

}  // namespace ringwall::gate
