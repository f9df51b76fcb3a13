#include "policy/tool_rules.h"

#include <gtest/gtest.h>

#include "policy/load.h"
#include "policy/merge.h"

namespace ringwall::policy {
namespace {

TEST(ToolRules, AreClaudesSyntax) {
  for (const char* text :
       {"Bash", "Bash(*)", "Bash(git push *)", "Bash(npm run test:*)", "Bash(echo (a))",
        "Read(./.env)", "Read(~/.ssh/**)", "Edit(//etc/**)", "WebFetch(domain:*.example.com)",
        "mcp__github__*", "mcp__github", "mcp__github__create_issue", "Agent(Explore)",
        "Task(Explore)", "WebFetch(domain:*.a-b.example)", "WebFetch(domain:[::1])"}) {
    EXPECT_TRUE(parse_tool_rule(text, true)) << text;
    EXPECT_TRUE(parse_tool_rule(text, false)) << text;
  }
  EXPECT_EQ(parse_tool_rule("Bash(*)", true)->content, "");
  EXPECT_EQ(parse_tool_rule("Bash(echo (a))", true)->content, "echo (a)");
}

TEST(ToolRules, WhatCouldNeverMatchIsAnError) {
  for (const char* text :
       {"", "(x)", "Bash(", "Bash(x", "Bash()", "git push", "Bash(a\nb)", "Write(src/**)",
        "Glob(x)", "WebFetch(https://a)", "Read(!x)", "mcp__*(path:x)", "Bash( git push *)",
        "Bash(git push )", "WebFetch(domain:http://a/)", "WebFetch(domain:a:80)",
        "WebFetch(domain:ä.de)", "WebFetch(domain:)", "TodoWrite(x)"}) {
    EXPECT_FALSE(parse_tool_rule(text, false)) << text;
  }
}

TEST(ToolRules, AllowsAreNarrowerThanDenials) {
  for (const char* text :
       {"*", "mcp__*", "mcp__git*", "Bash*", "mcp__git__run(force:true)", "Monitor(ws:true)"}) {
    EXPECT_TRUE(parse_tool_rule(text, false)) << text;
    EXPECT_FALSE(parse_tool_rule(text, true)) << text;
  }
}

TEST(ToolRules, TablesSayMore) {
  auto rule = parse_tool_rule(
      R"x({"rule":"Bash(rm *)","reason":"gone is gone","hint":"use trash","tell":"hint"})x", false);
  ASSERT_TRUE(rule);
  EXPECT_EQ(rule->content, "rm *");
  EXPECT_EQ(rule->reason, "gone is gone");
  EXPECT_EQ(rule->hint, "use trash");
  EXPECT_EQ(rule->tell, "hint");
  for (const char* text : {R"({"reason":"x"})", R"({"rule":"Bash","tell":"loud"})", "{",
                           R"({"rule":"Bash","tell":"hint"})", R"({"rule":"Bash","more":"x"})",
                           R"({"rule":1})", R"({"rule":"{}"})"})
    EXPECT_FALSE(parse_tool_rule(text, false)) << text;
}

TEST(ToolRules, ASlashBeginsWhereTheRuleStands) {
  EXPECT_EQ(*check_tool_rule("Read(/secrets/**)", false, "/home/u/app"),
            "Read(//home/u/app/secrets/**)");
  EXPECT_EQ(*check_tool_rule("Read(//etc/**)", false, "/home/u/app"), "Read(//etc/**)");
  EXPECT_EQ(*check_tool_rule("Bash(/bin/x)", false, "/home/u/app"), "Bash(/bin/x)");
  EXPECT_EQ(*check_tool_rule(R"x({"rule":"Edit(/x)","reason":"r"})x", false, "/a"),
            R"x({"rule":"Edit(//a/x)","reason":"r"})x");
}

TEST(ToolRules, LoadFromTextsAndTables) {
  LoadedText loaded = load_text(
      "[tools]\ndeny = [\"Bash(curl *)\", {rule = \"Bash(rm *)\", reason = \"gone\", hint = "
      "\"trash\"}]\nask = [\"WebFetch\"]\n",
      Layer::person, "/p.toml", "/home/u");
  ASSERT_TRUE(loaded.diagnostics.empty()) << loaded.diagnostics[0].what;
  Merged merged = merge({&loaded.text, 1});
  ASSERT_EQ(merged.policy.tools.deny.size(), 2u);
  EXPECT_EQ(merged.policy.tools.deny[0].value, "Bash(curl *)");
  auto rule = parse_tool_rule(merged.policy.tools.deny[1].value, false);
  ASSERT_TRUE(rule);
  EXPECT_EQ(rule->reason, "gone");
  EXPECT_EQ(merged.policy.tools.deny[1].origin.line, 2u);
}

TEST(ToolRules, MistakesHaveTheirPlace) {
  for (const char* text :
       {"[tools]\ndeny = [{rule = 1}]\n", "[tools]\ndeny = [{reason = \"x\"}]\n",
        "[tools]\nallow = [\"*\"]\n", "[tools]\npacks = [\"none\"]\n", "[tools]\ndeny = [3]\n"}) {
    LoadedText loaded = load_text(text, Layer::person, "/p.toml", "/home/u");
    ASSERT_EQ(loaded.diagnostics.size(), 1u) << text;
    EXPECT_EQ(loaded.diagnostics[0].line, 2u) << text;
  }
}

}  // namespace
}  // namespace ringwall::policy
