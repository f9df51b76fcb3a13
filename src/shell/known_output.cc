#include "shell/known_output.h"

#include <algorithm>

#include "base/path.h"
#include "shell/pieces.h"
#include "shell/value.h"

namespace ringwall::shell {
namespace {

Word without_last_newlines(Word word) {
  size_t floor = word.gaps.empty() ? 0 : word.gaps.back().at;
  while (word.text.size() > floor && word.text.back() == '\n')
    word.text.pop_back();
  return word;
}

Word echoed(const std::vector<Word>& words) {
  size_t first = 1;
  bool obeys = false;
  for (; first < words.size() && words[first].literal(); first++) {
    const std::string& option = words[first].text;
    if (option != "-n" && option != "-e" && option != "-ne" && option != "-en" && option != "-E")
      break;
    obeys |= option.find('e') != std::string::npos;
  }
  Word all = joined(words, first);
  bool has_escapes = all.text.find('\\') != std::string::npos;
  // Without -e, some shells obey escapes and some do not.
  if (has_escapes && (!obeys || !all.gaps.empty())) return unknown_word();
  if (has_escapes) all.text = decode_ansi_c(all.text);
  return all;
}

// The format with its arguments, in the shapes that are easy: %s, %b and no numbers.
Word printed(const std::vector<Word>& words) {
  if (words.size() < 2 || !words[1].literal() || words[1].text.starts_with('-'))
    return unknown_word();
  std::string format = decode_ansi_c(words[1].text);
  Word out;
  size_t next = 2;
  do {
    size_t taken = next;
    for (size_t i = 0; i < format.size(); i++) {
      if (format[i] != '%') {
        out.text += format[i];
      } else if (i + 1 < format.size() && format[i + 1] == '%') {
        out.text += format[++i];
      } else if (i + 1 < format.size() && (format[i + 1] == 's' || format[i + 1] == 'b')) {
        i++;
        if (next < words.size()) append(out, words[next++]);
      } else {
        return unknown_word();
      }
    }
    if (next == taken) break;
  } while (next < words.size());
  return out;
}

}  // namespace

Word known_output(const Act& act) {
  auto splits = [](const Word& word) { return word.splits; };
  bool has_text =
      act.redirections.size() == 1 && act.redirections[0].kind == Redirection::Kind::text;
  if (act.words[0].text == "cat" && act.words.size() == 1 && has_text)
    return without_last_newlines(act.redirections[0].target);
  if (!act.redirections.empty() || std::ranges::any_of(act.words, splits)) return unknown_word();
  std::string_view program = act.words[0].text;
  if (program == "echo") return without_last_newlines(echoed(act.words));
  if (program == "printf") return without_last_newlines(printed(act.words));
  if (program == "pwd" && act.words.size() == 1 && act.folder) return literal_word(*act.folder);
  bool tells_path = program == "which" || program == "type" || program == "command";
  if (tells_path && act.words.size() >= 2 && act.words.back().literal()) {
    Word path = unknown_word();
    path.text = "/" + std::string(path::basename(act.words.back().text));
    return path;
  }
  return unknown_word();
}

}  // namespace ringwall::shell
