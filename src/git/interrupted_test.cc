#include "git/interrupted.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ringwall::git {
namespace {

bool passes(std::string_view name, std::string_view text) {
  TextJudge judge = judge_of_interrupted(name);
  return judge != nullptr && !judge(text);
}

TEST(Interrupted, RebaseLists) {
  TextJudge judge_todo = judge_of_interrupted("rebase-merge/git-rebase-todo");
  EXPECT_FALSE(judge_todo(""));
  EXPECT_FALSE(judge_todo(
      "pick 12ab a\nr 12ab b\n\n  # exec x\nfixup -C 12ab c\r\nbreak\nlabel onto\nt onto\n"
      "merge -C 12ab onto # d\nupdate-ref refs/heads/a\nd 12ab\nnoop\n; exec x"));
  for (std::string_view text : std::vector<std::string_view>{
           "exec x", "x x", "pick a\n\texec x\n", "exec\tx", "x\r", "EXEC x", "run x",
           "\x0b"
           "exec x",
           "pick a\\\nx y", "execx", std::string_view("pick a\0\nx y", 11)})
    EXPECT_TRUE(judge_todo(text)) << testing::PrintToString(text);
  EXPECT_TRUE(judge_todo(std::string(2 << 20, '\n')));
}

TEST(Interrupted, StrategiesAreGitsOwn) {
  EXPECT_TRUE(passes("rebase-merge/strategy", "ort\n"));
  EXPECT_FALSE(passes("rebase-merge/strategy", "x/evil\n"));
  EXPECT_FALSE(passes("rebase-merge/strategy", ""));
  EXPECT_TRUE(passes("sequencer/opts", "[options]\n\tstrategy = recursive\n\tmainline = 1\n"));
  EXPECT_FALSE(passes("sequencer/opts", "[options]\nstrategy = x/evil\n"));
  EXPECT_FALSE(passes("sequencer/opts", "[options]\nstrategy\n"));
  EXPECT_FALSE(passes("sequencer/opts", "[options"));
}

TEST(Interrupted, OptionsOfAStrategyAreKnownWords) {
  for (const char* text :
       {"\n", " --ours\n", " --find-renames=50 --subtree\n", " '--find-renames=50%' \"--theirs\""})
    EXPECT_TRUE(passes("rebase-merge/strategy_opts", text)) << text;
  for (const char* text :
       {" --\n", "-- --x '--}$(id)'", " --index-output=/home/x", " ours", " '--ours",
        " --ours=$(id)", " --find-renames=", " ''", " --find-renames=1;id"})
    EXPECT_FALSE(passes("rebase-merge/strategy_opts", text)) << text;
  EXPECT_TRUE(passes("sequencer/opts", "[options]\nstrategy-option = ours\n"));
  for (const char* option : {"\"\"", "x", "}$(id)", "index-output=/home/x"})
    EXPECT_FALSE(passes("sequencer/opts", "[options]\nstrategy-option = " + std::string(option)))
        << option;
  EXPECT_FALSE(passes("sequencer/opts", "[options]\nstrategy-option\n"));
}

TEST(Interrupted, KeysAreNames) {
  EXPECT_TRUE(passes("rebase-merge/gpg_sign_opt", "-S\n"));
  EXPECT_TRUE(passes("rebase-merge/gpg_sign_opt", "-SA Person <a@example.org>\n"));
  EXPECT_FALSE(passes("rebase-merge/gpg_sign_opt", "-S/ws/key"));
  EXPECT_FALSE(passes("rebase-merge/gpg_sign_opt", "--output=x"));
  EXPECT_FALSE(passes("sequencer/opts", "[options]\ngpg-sign = --x\n"));
}

TEST(Interrupted, CountersAreNumbers) {
  for (const char* name :
       {"rebase-merge/msgnum", "rebase-merge/end", "rebase-apply/next", "rebase-apply/last"}) {
    EXPECT_TRUE(passes(name, "12\n")) << name;
    for (const char* text : {"$(id)1", "1 2", "1\n2\n", "-1", ""})
      EXPECT_FALSE(passes(name, text)) << name << " " << text;
  }
}

TEST(Interrupted, OptionsOfAmWriteNoFile) {
  for (const char* text :
       {"\n", " '-3'\n", " '-p2' '-C3' '--whitespace=fix'", " '--directory=src' '--exclude=a b'"})
    EXPECT_TRUE(passes("rebase-apply/apply-opt", text)) << text;
  for (const char* text :
       {" '--build-fake-ancestor=/home/x'", " -3", " '-3", " '-3'x", " '-p'", " '-p1a'",
        " '--unsafe-paths'", " '--index-output=x'", " '-3'\\'' '--x'"})
    EXPECT_FALSE(passes("rebase-apply/apply-opt", text)) << text;
}

TEST(Interrupted, OtherFilesAreObeyedByNobody) {
  EXPECT_EQ(judge_of_interrupted("rebase-merge/message"), nullptr);
  EXPECT_EQ(judge_of_interrupted("config"), nullptr);
}

}  // namespace
}  // namespace ringwall::git
