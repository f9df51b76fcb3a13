#include "git/command_words.h"

#include <algorithm>

namespace ringwall::git {
namespace {

// What a shell would take apart; where it would not, a word that names no file does no harm.
constexpr std::string_view kBetween = " \t\n'\"`;|&()<>{}$=!,\\";
constexpr std::string_view kBeforeWord = " \t\n=;|&(<>!,";

// A quote that opens stands at the beginning of a word: behind one that closes it goes on.
bool follows_value(std::string_view before) {
  if (before.empty()) return false;
  char last = before.back();
  if (last == ')' || last == '}' || last == '$' || last == '`') return true;
  if (last != '"' && last != '\'') return false;
  before.remove_suffix(1);
  return !before.empty() && kBeforeWord.find(before.back()) == before.npos;
}

}  // namespace

std::vector<CommandWord> words_of(std::string_view command) {
  std::vector<CommandWord> words;
  size_t at = 0;
  while (at < command.size()) {
    size_t end = std::min(command.find_first_of(kBetween, at), command.size());
    if (end > at)
      words.push_back(
          {std::string(command.substr(at, end - at)), follows_value(command.substr(0, at))});
    at = end + 1;
  }
  return words;
}

std::vector<std::string> relative_meanings(const CommandWord& word) {
  std::vector<std::string> meanings;
  if (!word.text.starts_with('/') && !word.text.starts_with('~')) meanings.push_back(word.text);
  if (!word.follows_value) return meanings;
  // "$ROOT/x", "$(…)/x"
  size_t slash = word.text.find('/');
  size_t begin = slash == word.text.npos ? slash : word.text.find_first_not_of('/', slash);
  if (begin != word.text.npos) meanings.push_back(word.text.substr(begin));
  return meanings;
}

}  // namespace ringwall::git
