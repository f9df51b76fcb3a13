// Answers of the person's terminal to questions of a program that is gone: they would be typed into
// the shell.
//
// A terminal answers in order: once it has answered a question of ours, no other answer is on its
// way. Programs may ask the same question (CSI 5 n, is all well?), so all of them are counted.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "terminal/own_terminal.h"

namespace ringwall::terminal {

// Counts answers to CSI 5 n in everything that was read from a terminal.
class StatusAnswers {
 public:
  void take(std::string_view keys);
  uint64_t seen() const { return seen_; }
  // One more question was asked, by ourselves.
  void ask() { own_++; }
  // Some of so many questions of others, or of our own, have no answer yet.
  bool awaits(uint64_t asked) const { return seen_ < asked + own_; }

 private:
  size_t matched_ = 0;  // bytes of an answer that came last
  uint64_t seen_ = 0;
  uint64_t own_ = 0;
};

// How long after a question its answer may still come.
inline constexpr int64_t kAnswersWithin = 3'000'000'000;

// Throws away what comes until the terminal has answered a question of ours after `asked` earlier
// ones, or seems not to answer at all. If nobody knows how many there were, until it is quiet after
// an answer. The terminal has to be raw.
void drain_answers(const OwnTerminal& terminal, StatusAnswers& answers,
                   std::optional<uint64_t> asked);

}  // namespace ringwall::terminal
