#include "gate/hook_reply.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace ringwall::gate {
namespace {

constexpr std::string_view kAnswers[] = {"open", "allow", "ask", "deny"};

std::string show(const HookReply& reply) {
  std::string out = "  status " + std::to_string(reply.status) + "\n";
  if (!reply.out.empty()) out += "  stdout " + reply.out;
  if (!reply.err.empty()) out += "  stderr " + reply.err;
  return out;
}

bool is_about_result(const EventRow& row) {
  return row.moment == Moment::after_tool || row.moment == Moment::after_failure;
}

// Every agent, event and answer.
std::string show_all() {
  std::string out;
  for (const Dialect& dialect : dialects()) {
    for (const EventRow& row : dialect.events) {
      std::string name = std::string(dialect.name) + " " + std::string(row.name) + " ";
      if (is_about_result(row)) {
        out += name + "nothing\n" + show(reply(dialect, row, {Answer::deny, "why", ""}));
        out += name + "warning\n" + show(reply(dialect, row, {Answer::open, "", "take care"}));
        continue;
      }
      std::string said;
      for (size_t i = 0; i < std::size(kAnswers); i++) {
        HookReply one = reply(dialect, row, {static_cast<Answer>(i), "why", ""});
        if (one.status != 0 || !one.out.empty() || !one.err.empty())
          said += name + std::string(kAnswers[i]) + "\n" + show(one);
      }
      out += said.empty() ? name + "nothing is ever said\n" : said;
    }
  }
  return out;
}

TEST(HookReply, IsWhatEachAgentUnderstands) {
  std::ifstream file(RINGWALL_SOURCE "/tests/corpus/hooks/replies.txt");
  std::stringstream expected;
  expected << file.rdbuf();
  EXPECT_EQ(show_all(), expected.str());
}

// Codex takes an answer with a key that it does not know for none, and goes on.
TEST(HookReply, SaysNoMoreThanItMust) {
  const Dialect& codex = dialect_of(Agent::codex);
  const EventRow& row = *find_event(codex, "PreToolUse");
  EXPECT_EQ(reply(codex, row, {Answer::allow, "x", ""}).out, "");
  EXPECT_EQ(reply(codex, row, {Answer::deny, "", ""}).err, "refused by Ringwall\n");
}

TEST(HookReply, AReasonIsOneHarmlessLine) {
  const Dialect& claude = dialect_of(Agent::claude);
  const EventRow& row = *find_event(claude, "PreToolUse");
  HookReply said = reply(claude, row, {Answer::deny, "a\nb\x1b[2J" + std::string(9000, 'x'), ""});
  EXPECT_TRUE(said.err.starts_with("a\\x0ab\\x1b[2Jxxx"));
  EXPECT_LT(said.out.size(), 4000u);
  EXPECT_EQ(said.status, 2);
}

TEST(HookReply, ADenialOfWhatNobodyKnowsIsStatusTwo) {
  HookReply said = deny_unknown("is no JSON");
  EXPECT_EQ(said.out, "");
  EXPECT_EQ(said.err, "is no JSON\n");
  EXPECT_EQ(said.status, 2);
}

}  // namespace
}  // namespace ringwall::gate
