// P21: what a hostile program prints at its terminal, and what of it may arrive at the caller's.
//
// The same script runs behind the walls, where every hostile sequence must get lost and every
// harmless one must arrive, and on a bare terminal, where all of them arrive.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "probes/probe.h"

namespace ringwall::probes {

struct TerminalSequence {
  std::string_view name;
  std::string_view bytes;
  bool hostile;
};

std::span<const TerminalSequence> terminal_sequences();

// What is written, piece by piece: each sequence between marks, once whole and once byte by byte.
std::vector<std::string> terminal_writes();

// For /bin/sh: writes all that, then asks the terminal what it is, says whether it has answered,
// and sleeps.
std::string terminal_script();

inline constexpr std::string_view kTerminalQuestion = "{ask<\x1b[c>ask}";
inline constexpr std::string_view kTerminalAnswer = "\x1b[?62;22c";  // to the question
inline constexpr std::string_view kTerminalAnswered = "{answered}";
inline constexpr std::string_view kTerminalUnanswered = "{unanswered}";

// `arrived` is all that the caller's terminal was sent up to the word about the answer.
Verdict judge_terminal_output(std::string_view arrived);

// Nothing in it that a terminal would obey: no control byte, no C1 control in either form.
bool is_only_text(std::string_view bytes);

}  // namespace ringwall::probes
