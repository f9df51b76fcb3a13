#include "shell/value.h"

#include <algorithm>

#include "base/text.h"

namespace ringwall::shell {
namespace {

constexpr size_t kLongestJoined = 16 * 1024;

}  // namespace

Word literal_word(std::string_view text) { return {.text = std::string(text)}; }

Word unknown_word(bool splits) { return {.gaps = {{0, Word::Gap::Kind::text}}, .splits = splits}; }

void add_gap(Word& word, Word::Gap::Kind kind) {
  auto at = static_cast<uint32_t>(word.text.size());
  // Two gaps at one place are one, the wider of them.
  if (!word.gaps.empty() && word.gaps.back().at == at) {
    if (kind == Word::Gap::Kind::text) word.gaps.back().kind = kind;
  } else {
    word.gaps.push_back({at, kind});
  }
}

void append(Word& to, const Word& from) {
  // A word that doubles itself again and again is not worth to be followed.
  bool both = !to.text.empty() && !from.text.empty();
  if (both && to.text.size() + from.text.size() > kLongestJoined) {
    bool splits = to.splits || from.splits;
    to = unknown_word(splits);
    return;
  }
  to.splits |= from.splits;
  size_t at = 0;
  for (const Word::Gap& gap : from.gaps) {
    to.text.append(from.text, at, gap.at - at);
    at = gap.at;
    add_gap(to, gap.kind);
  }
  to.text.append(from.text, at);
}

bool same(const Word& a, const Word& b) {
  return a.text == b.text && a.splits == b.splits &&
         std::ranges::equal(a.gaps, b.gaps, [](const Word::Gap& x, const Word::Gap& y) {
           return x.at == y.at && x.kind == y.kind;
         });
}

std::string to_code(const Word& word) {
  std::string code;
  size_t at = 0;
  for (const Word::Gap& gap : word.gaps) {
    code.append(word.text, at, gap.at - at);
    code += gap.kind == Word::Gap::Kind::text ? kTextGapByte : kNameGapByte;
    at = gap.at;
  }
  return code.append(word.text, at);
}

Word from_code(std::string_view text) {
  Word word;
  for (char c : text) {
    if (c == kTextGapByte || c == kNameGapByte) {
      add_gap(word, c == kTextGapByte ? Word::Gap::Kind::text : Word::Gap::Kind::name);
    } else {
      word.text += c;
    }
  }
  return word;
}

Word part_of(const Word& word, size_t from, size_t length) {
  from = std::min(from, word.text.size());
  Word part{.text = word.text.substr(from, length), .splits = word.splits};
  size_t to = from + part.text.size();
  bool to_the_end = to == word.text.size();
  for (const Word::Gap& gap : word.gaps) {
    if (gap.at >= from && (gap.at < to || (to_the_end && gap.at == to)))
      part.gaps.push_back({static_cast<uint32_t>(gap.at - from), gap.kind});
  }
  return part;
}

std::string_view known_start(const Word& word) {
  size_t length = word.gaps.empty() ? word.text.size() : word.gaps.front().at;
  return std::string_view(word.text).substr(0, length);
}

Word joined(const std::vector<Word>& words, size_t first) {
  Word all;
  for (size_t i = first; i < words.size(); i++) {
    if (i > first) all.text += ' ';
    append(all, words[i]);
  }
  return all;
}

std::string shown(const Word& word) {
  constexpr size_t kLongest = 80;
  std::string text;
  for (char c : to_code(word)) {
    if (text.size() > kLongest) return text::quote(text) + " …";
    if (c == kTextGapByte || c == kNameGapByte) {
      text += "…";
    } else {
      text += c;
    }
  }
  return text::quote(text);
}

std::string quoted_for_shell(std::string_view text) {
  std::string quoted = "'";
  for (char c : text)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace ringwall::shell
