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

// Makes a decision of the rulings about a call's parts: that of the strictest.
class Rulings {
 public:
  explicit Rulings(Parts parts) : parts_(parts) {}

  // `show` says what the part is, if anybody wants to know.
  template <class Show>
  void add(const Ruling& ruling, Show show) {
    count(ruling);
    if (parts_ == Parts::listed)
      decision_.parts.push_back({show(), ruling.answer, ruling.rule, ruling.reason});
  }

  // A file that the run hides would be read.
  void add_hidden(const std::string& path) {
    if (decision_.hidden.empty()) decision_.hidden = path;
  }

  // What was found apart from these: the stricter counts.
  void add_all(Rulings others);

  Parts parts() const { return parts_; }
  Answer answer() const { return decision_.answer; }
  // Nothing denies or asks, and all parts that need one have an allow: that of the first counts.
  void take_allow();
  Decision take() { return std::move(decision_); }

 private:
  void count(const Ruling& ruling);
  void decide_by(const Ruling& ruling);

  Parts parts_;
  Decision decision_;
  Ruling first_allow_;
};

// A command's words for people, gaps as "…".
std::string show(const shell::Word& word);
std::string show_words(const std::vector<shell::Word>& words);

}  // namespace ringwall::gate
