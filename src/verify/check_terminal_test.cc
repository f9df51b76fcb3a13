// The judgement of P21: what it takes for an answer must not depend on a whole run.
#include <gtest/gtest.h>

#include "probes/terminal_output.h"
#include "terminal/filter.h"

namespace ringwall::verify {
namespace {

using probes::Finding;
using probes::judge_terminal_output;

std::string as_sent() {
  std::string text;
  for (const std::string& piece : probes::terminal_writes())
    text += piece;
  return text;
}

std::string filtered() {
  terminal::Filter filter({});
  std::string text;
  for (const std::string& piece : probes::terminal_writes())
    text += filter.pass(piece);
  return text;
}

std::string with_answer(const std::string& text) {
  return text + std::string(probes::kTerminalQuestion) + std::string(probes::kTerminalAnswered);
}

TEST(TerminalOutput, FilteredOneHolds) {
  probes::Verdict verdict = judge_terminal_output(with_answer(filtered()));
  EXPECT_EQ(verdict.finding, Finding::held) << verdict.evidence;
}

TEST(TerminalOutput, EveryHostileSequenceIsSeen) {
  probes::Verdict verdict = judge_terminal_output(with_answer(as_sent()));
  EXPECT_EQ(verdict.finding, Finding::breached);
  size_t through = 0, hostile = 0;
  for (const probes::Act& act : verdict.acts)
    through += act.met.empty() ? 1 : 0;
  for (const probes::TerminalSequence& sequence : probes::terminal_sequences())
    hostile += sequence.hostile ? 1 : 0;
  EXPECT_EQ(through, 2 * hostile);
}

TEST(TerminalOutput, WhatIsLostIsNamed) {
  std::string text = filtered();
  size_t at = text.rfind("\x1b[?2004h");
  ASSERT_NE(at, std::string::npos);
  text.erase(at, 1);
  EXPECT_EQ(judge_terminal_output(with_answer(text)).evidence,
            "lost: bracketed paste, byte by byte");
  EXPECT_EQ(judge_terminal_output(filtered()).evidence, "lost: the question what terminal it is");
  EXPECT_EQ(judge_terminal_output(filtered() + std::string(probes::kTerminalQuestion)).evidence,
            "lost: the terminal's answer");
  EXPECT_EQ(judge_terminal_output("").finding, Finding::breached);
}

TEST(TerminalOutput, ASequenceThatComesLateIsSeen) {
  std::string text = filtered();
  size_t at = text.find("{w5<");
  ASSERT_NE(at, std::string::npos);
  text.insert(at, "\x1b]52;c;aGk=\a");
  EXPECT_EQ(judge_terminal_output(with_answer(text)).finding, Finding::breached);
}

TEST(TerminalOutput, TextHoldsNothingToObey) {
  EXPECT_TRUE(probes::is_only_text("plain \xc3\xa9 \xf0\x9f\x98\x80 \xef\xbf\xbd"));
  for (std::string_view bytes : {"\x1b[m", "a\x05", "\x9d", "\xc2\x9b", "\x7f", "a\nb"})
    EXPECT_FALSE(probes::is_only_text(bytes)) << bytes;
  EXPECT_TRUE(probes::is_only_text(""));
}

}  // namespace
}  // namespace ringwall::verify
