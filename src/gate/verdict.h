// What is ruled about one part of a call, and how rulings become a decision.
#pragma once

#include <string>
#include <string_view>

#include "gate/decide.h"
#include "gate/pack_match.h"

namespace ringwall::gate {

// Before the name of a pack, where it says where a ruling comes from.
inline constexpr std::string_view kOfPack = "pack ";

struct Ruling {
  Answer answer = Answer::open;
  std::string rule;
  std::string origin;
  std::string reason;
  std::string told;
};

// `may`: only unknown words make it fit.
Ruling ruling_of(const Rule& rule, bool may);

// What is asked without anybody's rule.
Ruling ask_because(std::string reason, std::string hint);

template <class Row>
Ruling ruling_of(const PackHit<Row>& hit, std::string_view what);

// The stricter one stays, the first among equals.
void keep_stricter(Ruling& best, Ruling other);

// One more part; the decision is that of the strictest.
void add_part(Decision& decision, std::string shown, const Ruling& ruling);

// A command's words for people, gaps as "…".
std::string show(const shell::Word& word);
std::string show_words(const std::vector<shell::Word>& words);

}  // namespace ringwall::gate
