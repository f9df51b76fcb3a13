#include "gate/copy_target.h"

#include "gate/flag_match.h"

namespace ringwall::gate {
namespace {

constexpr std::string_view kCopiers = "cp|mv|ln|install|rsync|scp";

using shell::Word;

constexpr std::string_view kLong = "--target-directory";

// The value of -t: its own word, or the rest of this one.
std::optional<Word> given_target(const Operands& operands, size_t at) {
  const Word& word = *operands.all[at];
  bool is_long = word.text.starts_with("--t") && is_flag(word.text, kLong);
  size_t equals = word.text.find('=');
  if (is_long && equals != word.text.npos) return Word{word.text.substr(equals + 1), {}};
  bool is_short = !word.text.starts_with("--") && word.text.starts_with('-');
  size_t letter = is_short ? word.text.find('t', 1) : word.text.npos;
  if (letter != word.text.npos && letter + 1 < word.text.size())
    return Word{word.text.substr(letter + 1), {}};
  bool is_next = is_long || letter != word.text.npos;
  if (!is_next || at + 1 >= operands.all.size()) return std::nullopt;
  return *operands.all[at + 1];
}

// "settings.json" and not ".claude", "src" or "x.d/".
bool has_name_of_file(std::string_view path) {
  std::string_view name = base_name(path);
  return name != ".." && name.find('.', 1) != name.npos;
}

}  // namespace

bool may_copy(const std::vector<shell::Word>& words) {
  return !words.empty() && is_listed(kCopiers, base_name(words[0].text));
}

CopyTarget copy_target_of(const Operands& operands) {
  CopyTarget copy;
  if (!is_listed(kCopiers, operands.program)) return copy;
  for (const Word* word : operands.words)
    copy.sources.push_back(*word);
  bool has_option = is_listed("cp|mv|ln|install", operands.program);
  for (size_t i = 0; has_option && i < operands.all.size() && !copy.target; i++)
    copy.target = given_target(operands, i);
  copy.is_folder = copy.target.has_value() || copy.sources.size() > 2;
  if (!copy.target && copy.sources.size() > 1) {
    copy.target = copy.sources.back();
    copy.sources.pop_back();
  }
  return copy;
}

std::vector<Word> names_in_target(const CopyTarget& copy) {
  std::vector<Word> made;
  if (!copy.target || !copy.target->gaps.empty()) return made;
  size_t colon = copy.target->text.find(':');
  bool is_remote = colon < copy.target->text.find('/') && colon != std::string::npos;
  if (is_remote) return made;
  if (!copy.is_folder && has_name_of_file(copy.target->text)) return made;
  for (const Word& source : copy.sources) {
    // What an unknown source is called, nobody knows.
    if (!source.gaps.empty()) continue;
    std::string_view name = source.text;
    while (name.ends_with('/'))
      name.remove_suffix(1);
    name = base_name(name);
    if (name.empty() || name == "." || name == "..") continue;
    made.push_back(Word{copy.target->text + "/" + std::string(name), {}});
  }
  return made;
}

}  // namespace ringwall::gate
