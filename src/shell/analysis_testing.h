// Shows an analysis in a few characters, for tests.
#pragma once

#include <string>

#include "shell/analysis.h"

namespace ringwall::shell {

inline Surroundings around() { return {.folder = "/w", .home = "/home/me"}; }

// Gaps as …, a + behind a word that may be several.
inline std::string shown_word(const Word& word) {
  std::string out;
  size_t at = 0;
  for (const Word::Gap& gap : word.gaps) {
    out += word.text.substr(at, gap.at - at) + (gap.kind == Word::Gap::Kind::text ? "…" : "*");
    at = gap.at;
  }
  return out + word.text.substr(at);
}

inline std::string shown_act(const Act& act) {
  std::string out = act.certain ? "" : "?";
  for (size_t i = 0; i < act.words.size(); i++)
    out += (i > 0 ? " " : "") + shown_word(act.words[i]);
  for (const Redirection& redirection : act.redirections) {
    constexpr const char* kSigns[] = {"<", ">", ">>", "<>", "<<"};
    out += std::string(" ") + kSigns[static_cast<size_t>(redirection.kind)] +
           shown_word(redirection.target);
  }
  return out;
}

inline std::string shown_acts(const Analysis& found) {
  std::string out;
  for (const Act& act : found.acts)
    out += (out.empty() ? "" : "\n") + shown_act(act);
  return out;
}

// One line per act; a last line says how many doubts there are, if any.
inline std::string acts_of(std::string_view command) {
  Analysis found = analyse(command, around());
  std::string out = shown_acts(found);
  if (!found.doubts.empty())
    out += (out.empty() ? "!" : "\n!") + std::to_string(found.doubts.size());
  return out;
}

}  // namespace ringwall::shell
