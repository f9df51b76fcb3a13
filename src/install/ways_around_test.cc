#include "install/ways_around.h"

#include <gtest/gtest.h>

namespace ringwall::install {
namespace {

using Kind = WayAround::Kind;

std::vector<FoundLine> find(std::string_view text, bool is_shell_file = true) {
  return find_in_text(text, *agent_by_name("claude"), is_shell_file);
}

TEST(WaysAround, sees_aliases_and_functions) {
  for (const char* line :
       {"alias claude=\"$HOME/.claude/local/claude\"", "claude() { x; }", "function claude { x; }",
        "[ -x y ] && alias claude='y'", "alias -- claude=y", "alias 'claude'=y",
        "alias ll=ls claude=y", "alias claude y", "function claude", "hash -p /y claude"}) {
    auto found = find(line);
    ASSERT_EQ(found.size(), 1u) << line;
    EXPECT_EQ(found[0].kind, Kind::alias) << line;
    auto elsewhere = find(line, false);
    EXPECT_TRUE(elsewhere.empty() || elsewhere[0].kind == Kind::path) << line;
  }
}

TEST(WaysAround, an_alias_that_starts_the_plain_name_is_none) {
  for (const char* line :
       {"alias claude='claude --model opus'", "alias claude=claude",
        "alias claude='ringwall run -- claude'", "# alias claude=x",
        "alias claudette=/opt/claudette", "claude --version", "alias -- claude=claude",
        "alias c=claude", "alias x='echo claude'", "unalias claude", "hash -p /y codex"})
    EXPECT_TRUE(find(line).empty()) << line;
}

TEST(WaysAround, sees_absolute_paths_and_fetchers) {
  auto found =
      find("x\n\"path\": \"/home/ann/bin/claude\",\nrun: npx -y @anthropic-ai/claude-code -p hi\n",
           false);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].kind, Kind::path);
  EXPECT_EQ(found[0].line, 2u);
  EXPECT_EQ(found[0].text, "/home/ann/bin/claude");
  EXPECT_EQ(found[1].kind, Kind::npx);
  EXPECT_EQ(find("exec ~/.local/bin/claude -p").at(0).text, "~/.local/bin/claude");
}

TEST(WaysAround, sees_the_program_of_a_package_by_its_own_name) {
  std::vector<std::string> programs = {"/p/bin/claude.exe", "~/p/cli.js"};
  auto find_one = [&](std::string_view text) {
    return find_in_text(text, *agent_by_name("claude"), false, programs);
  };
  EXPECT_EQ(find_one("ExecStart=/p/bin/claude.exe -p x").at(0).text, "/p/bin/claude.exe");
  EXPECT_EQ(find_one("run: node ~/p/cli.js").at(0).kind, Kind::path);
  EXPECT_TRUE(find_one("/p/bin/claude.exe.old ~/p/cli.json").empty());
}

TEST(WaysAround, follows_what_a_shell_file_reads) {
  std::vector<std::string> files = {"/home/ann/.stuff", "/home/ann/a", "/etc/x"};
  EXPECT_EQ(sourced_files(". ~/.stuff\n[ -f x ] && source \"$HOME/a\"\n. /etc/x; y\n. relative\n",
                          "/home/ann"),
            files);
}

TEST(WaysAround, other_names_and_addresses_are_none) {
  for (const char* line :
       {"https://example.com/claude", "/opt/claude/bin/x", "/usr/bin/claude-helper",
        "npm install -g @anthropic-ai/claude-code", "src/claude", "./claude"})
    EXPECT_TRUE(find(line, false).empty()) << line;
}

}  // namespace
}  // namespace ringwall::install
