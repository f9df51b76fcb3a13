#include "events/record_show.h"

#include <gtest/gtest.h>

#include "events/chain.h"
#include "events/event.h"

namespace ringwall::events {
namespace {

ShownLine show(const Event& event) {
  Link link;
  auto shown = show_line(chain_line(link, {1769850000123, 4}, to_json(event)));
  return shown.value_or(ShownLine());
}

}  // namespace

TEST(RecordShow, ALineInAFewWords) {
  ShownLine shown = show(Blocked{"a-1", "x.example:443", "curl", "no grant names it", "", 12});
  EXPECT_EQ(shown.time, "2026-01-31T09:00:00.123Z");
  EXPECT_EQ(shown.kind, "blocked");
  EXPECT_EQ(shown.words, "x.example:443 for curl: no grant names it (12 times)");
  EXPECT_TRUE(shown.is_refusal && shown.is_network);
}

TEST(RecordShow, PartsThatAreEmptyAreLeftOut) {
  EXPECT_EQ(show(Blocked{"a-1", "x:1", "", "why", ""}).words, "x:1: why");
  EXPECT_EQ(show(RunStarted{"a-1", "/w", {"npm", "test"}, "", "", {}, {}}).words, "npm test in /w");
  EXPECT_EQ(show(RunStarted{"a-1", "/w", {"sh"}, "", "", {"a=b (--ro)"}, {"landlock"}}).words,
            "sh in /w, with 'a=b (--ro)', without landlock");
}

TEST(RecordShow, WhatOthersChoseIsEscaped) {
  ShownLine shown = show(Planted{"a", "x\x1b[2Jy\n", "r", "w\x1b", ""});
  EXPECT_EQ(shown.words.find('\x1b'), std::string::npos);
  EXPECT_EQ(shown.words.find('\n'), std::string::npos);
}

TEST(RecordShow, EveryEventHasAForm) {
  const Event all[] = {RunStarted{},
                       RunEnded{},
                       Refused{},
                       CannotRun{},
                       Withheld{},
                       FilesHidden{},
                       LimitReached{},
                       Planted{},
                       Blocked{},
                       Connected{},
                       NetworkUse{},
                       Asked{},
                       Answered{"", 1, "", "rejected"},
                       PolicyChanged{},
                       Controlled{"", "kill"},
                       RecordGap{},
                       RecordFailing{},
                       RecordMended{},
                       RecordTorn{},
                       RecordRemoved{},
                       ToolRefused{},
                       ToolJudged{"", "", "", "", "allowed", ""},
                       ResultFinding{},
                       HiddenFile{},
                       SubagentStarted{},
                       ToolFailed{},
                       Sent{},
                       ProcessBurst{},
                       RiskLevel{},
                       RiskLowered{},
                       FilesChanged{},
                       KeptForUndo{},
                       RepositoryNews{},
                       ToolNoise{}};
  for (const Event& event : all) {
    ShownLine shown = show(event);
    EXPECT_NE(shown.kind, "");
    EXPECT_EQ(shown.kind.find('_'), std::string::npos) << shown.kind;
    bool is_refusal = count_refusals(event) > 0 || shown.kind == "gap" || shown.kind == "blocked";
    EXPECT_EQ(shown.is_refusal, is_refusal) << shown.kind;
  }
}

TEST(RecordShow, WhatTheGateRefusedIsARefusal) {
  ShownLine shown =
      show(ToolRefused{"a-1", "codex", "Bash", "git push\x1b[2J", "Bash(git *)", "no"});
  EXPECT_EQ(shown.kind, "refused");
  EXPECT_EQ(shown.words, "Bash to codex: git push\\x1b[2J: no (Bash(git *))");
  EXPECT_TRUE(shown.is_refusal && !shown.is_network);
  EXPECT_TRUE(show(Asked{"a-1", 1, "x:443", "curl"}).is_network);
  EXPECT_FALSE(show(Asked{"a-1", 1, "Bash in /w: ls", "codex", "tool"}).is_network);
}

TEST(RecordShow, OtherLinesAreNone) {
  for (const char* line : {"", "x", "{}", "[]", "{\"event\":1,\"time\":2}"})
    EXPECT_FALSE(show_line(line)) << line;
}

TEST(RecordShow, SecretsDoNotReachTheRecord) {
  std::string secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
  std::string line = to_json(RunStarted{"a",
                                        "/w",
                                        {"curl", "--token", "hunter2", secret},
                                        "",
                                        "",
                                        {"environment.set=API_KEY=zzz (--set)"},
                                        {}});
  EXPECT_EQ(line.find("hunter2"), std::string::npos);
  EXPECT_EQ(line.find(secret), std::string::npos);
  EXPECT_EQ(line.find("zzz"), std::string::npos);
}

}  // namespace ringwall::events
