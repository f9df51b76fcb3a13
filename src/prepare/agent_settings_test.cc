#include "prepare/agent_settings.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace ringwall::prepare {
namespace {

using Patterns = std::vector<std::string>;
namespace fs = std::filesystem;

class AgentSettings : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = fs::temp_directory_path() / "ringwall-agents.XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    top_ = pattern;
  }
  void TearDown() override { fs::remove_all(top_); }

  void write(const std::string& name, const std::string& text) {
    fs::create_directories(fs::path(top_) / fs::path(name).parent_path());
    std::ofstream(fs::path(top_) / name) << text;
  }
  Patterns named() { return patterns_named_by_agents({top_}, agent_settings_at_top({top_})); }

  std::string top_;
};

TEST_F(AgentSettings, HooksStatusLinesAndServers) {
  EXPECT_EQ(agent_settings_at_top({top_}), Patterns{});
  write(".claude/settings.json",
        R"x({"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":
        "python3 \"$CLAUDE_PROJECT_DIR\"/.claude/scripts/start.py"}]}]},
        "statusLine":{"command":".claude/statusline.py"}, "apiKeyHelper": "bin/key"})x");
  write(".mcp.json", R"x({"mcpServers":{"x":{"command":"python3","args":["tools/mcp.py"]}}})x");
  EXPECT_EQ(named(), (Patterns{"/.claude/scripts/start.py", "/.claude/statusline.py", "/bin/key",
                               "/tools/mcp.py"}));
}

TEST_F(AgentSettings, WhatACommandWorksOnIsNoProgram) {
  write("package.json", "{}");
  write("src/a.c", "");
  write("node_modules/.bin/eslint", "");
  write("docs/x.md", "");
  write(".claude/settings.json",
        R"x({"permissions":{"allow":["Read(src/a.py)","Bash(sh tools/x.sh)"]
}
, "hooks" : {
  "Stop" : [ {
    "hooks" : [
      {"command" : "jq . package.json docs/x.md src/a.c; npm run lint"},
      {"command" : "node_modules/.bin/eslint ."},
      {"command" : "npx -y @scope/server https://x/y.sh"}
    ]
  } ]
}
})x");
  EXPECT_EQ(named(), Patterns{});
}

TEST_F(AgentSettings, TasksThatRunWhenAFolderIsOpened) {
  write("src/main.py", "");
  write(".vscode/tasks.json", R"x({ // a comment
    "tasks": [ {"command": "python3 src/main.py"},
      {"command": "sh", "args": ["${workspaceFolder}/tools/open.sh"], "runOptions": {"runOn": "folderOpen"}}, ] })x");
  EXPECT_EQ(named(), Patterns{"/tools/open.sh"});
}

TEST_F(AgentSettings, BelowTheTopAndWhatCannotBeRead) {
  write("sub/.gemini/settings.json", R"x({"mcpServers":{"x":{"command":"./tools/x"}}})x");
  write("sub/tools/x", "");
  std::string settings = top_ + "/sub/.gemini/settings.json";
  EXPECT_EQ(agent_settings_of(settings), Patterns{settings});
  EXPECT_EQ(agent_settings_of(top_ + "/sub/.gemini"), Patterns{settings});
  EXPECT_EQ(agent_settings_of(top_ + "/sub/tools/x"), Patterns{});
  write("sub/.kiro/settings/mcp.json", "{}");
  EXPECT_EQ(agent_settings_of(top_ + "/sub/.kiro/settings"),
            Patterns{top_ + "/sub/.kiro/settings/mcp.json"});
  Patterns named_below = patterns_named_by_agents({top_}, {top_ + "/sub/.gemini/settings.json"});
  EXPECT_EQ(named_below, (Patterns{"/sub/tools/x", "/tools/x"}));
  for (const std::string& text :
       {std::string("{"), std::string("[]"), std::string(), std::string(5000, '[')}) {
    write(".claude/settings.json", text);
    EXPECT_EQ(named(), Patterns{});
  }
}

}  // namespace
}  // namespace ringwall::prepare
