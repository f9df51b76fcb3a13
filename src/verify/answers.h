// The lines in which a battery of probes answers: {"promise":"P07","finding":"held","evidence":"…"}
//
// They come from inside a sandbox, so nothing about them is trusted: lengths are limited, names
// must be known ones, and what a person will read is escaped.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "probes/probe.h"

namespace ringwall::verify {

using probes::Finding;
using probes::Verdict;

// By promise number.
using Answers = std::map<std::string, Verdict, std::less<>>;

inline constexpr size_t kMostAnswerBytes = 256 << 10;
inline constexpr size_t kMostLineBytes = 4096;
inline constexpr size_t kMostEvidenceBytes = 300;

// One line, without its end. `expected` are the promises that may be answered here.
Result<std::pair<std::string, Verdict>> parse_answer(std::string_view line,
                                                     std::span<const std::string_view> expected);

struct AnswerSheet {
  Answers answers;
  std::string trouble;  // why reading stopped; empty: it did not
};

// Reads up to the first line that is not as it should be: what follows a lie is worth nothing.
AnswerSheet parse_answers(std::string_view lines, std::span<const std::string_view> expected);

std::string answer_line(std::string_view promise, const Verdict& verdict);

// Text that others chose, for a terminal: control bytes and the like become \xNN.
std::string escape(std::string_view untrusted);

}  // namespace ringwall::verify
