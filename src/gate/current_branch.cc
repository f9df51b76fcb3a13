#include "gate/current_branch.h"

#include <algorithm>

#include "gate/gap_match.h"

namespace ringwall::gate {
namespace {

using shell::Act;
using shell::Word;

bool tells_branch(const Act& act) {
  std::string line = join_words(act.words).text;
  bool is_known = std::all_of(act.words.begin(), act.words.end(),
                              [](const Word& word) { return word.literal(); });
  return is_known && act.through.empty() && act.assignments.empty() && act.redirections.empty() &&
         (line == "git branch --show-current" || line == "git rev-parse --abbrev-ref HEAD" ||
          line == "git symbolic-ref --short HEAD");
}

bool is_only_gap(const Word& word) { return word.text.empty() && word.gaps.size() == 1; }

}  // namespace

std::optional<std::vector<Word>> with_current_branch(const shell::Analysis& analysis,
                                                     const Act& act) {
  const std::vector<Word>& words = act.words;
  bool is_push = words.size() > 2 && words[0].text == "git" && words[1].text == "push";
  if (!is_push || !act.through.empty() || !is_only_gap(words.back())) return std::nullopt;
  bool is_known_before =
      std::all_of(words.begin(), words.end() - 1, [](const Word& word) { return word.literal(); });
  size_t nested = 0;
  bool all_tell = true;
  for (const Act& inner : analysis.acts) {
    if (inner.place.first <= act.place.first || inner.place.second > act.place.second) continue;
    nested++;
    all_tell = all_tell && tells_branch(inner);
  }
  if (!is_known_before || nested != 1 || !all_tell) return std::nullopt;
  std::vector<Word> changed = words;
  changed.back() = Word{"HEAD", {}};
  return changed;
}

}  // namespace ringwall::gate
