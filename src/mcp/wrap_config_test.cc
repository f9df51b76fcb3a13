#include "mcp/wrap_config.h"

#include <gtest/gtest.h>

namespace ringwall::mcp {
namespace {

TEST(McpWrap, LeavesTheRestOfTheFile) {
  auto done =
      wrap_json(R"({"other":[1,{"a":2}],"mcpServers":{"x y":{"command":"a"}}})", "ringwall");
  ASSERT_TRUE(done);
  EXPECT_EQ(done->text, R"({
  "other": [
    1,
    {
      "a": 2
    }
  ],
  "mcpServers": {
    "x y": {
      "command": "ringwall",
      "args": ["mcp", "--name", "x_y", "--", "a"]
    }
  }
}
)");
}

TEST(McpWrap, SaysWhatIsWrong) {
  for (const char* text :
       {"", "[]", "{}", R"({"mcpServers":[]})", R"({"mcpServers":{"a":1}})",
        R"({"mcpServers":{"a":{"command":1}}})", R"({"mcpServers":{"a":{},"a":{}}})",
        R"({"mcpServers":{"a":{"command":"x","args":"y"}}})"})
    EXPECT_FALSE(wrap_json(text, "ringwall")) << text;
}

TEST(McpWrap, TomlKeepsCommentsAndAddsArguments) {
  auto done = wrap_toml(
      "# mine\n[mcp_servers.b]\ncommand = \"x\"\n[mcp_servers.a]\nargs = ['1', \"2\"]\n"
      "command = 'y'\n[mcp_servers.c]\nurl = \"https://z\"\n[other]\ncommand = \"stays\"\n",
      "ringwall");
  ASSERT_TRUE(done) << done.error().what;
  EXPECT_EQ(done->text,
            "# mine\n[mcp_servers.b]\ncommand = \"ringwall\"\nargs = [\"mcp\", \"--name\", \"b\", "
            "\"--\", \"x\"]\n"
            "[mcp_servers.a]\nargs = [\"mcp\", \"--name\", \"a\", \"--\", \"y\", \"1\", \"2\"]\n"
            "command = \"ringwall\"\n[mcp_servers.c]\nurl = \"https://z\"\n[other]\ncommand = "
            "\"stays\"\n");
  EXPECT_EQ(done->left.size(), 1u);
  auto again = wrap_toml(done->text, "ringwall");
  ASSERT_TRUE(again);
  EXPECT_EQ(again->text, done->text);
}

TEST(McpWrap, TomlThatIsNotPlainIsRefused) {
  EXPECT_FALSE(wrap_toml("[mcp_servers.a]\ncommand = \"x\"\nargs = [\n\"y\"]\n", "ringwall"));
  EXPECT_FALSE(wrap_toml("[mcp_servers.a]\ncommand = \"x\\ty\"\n", "ringwall"));
  EXPECT_FALSE(wrap_toml("[mcp_servers.a]\ncommand = \"x\"\nenv = { A = \"b\" }\n", "ringwall"));
  EXPECT_FALSE(wrap_toml("model = 1\n", "ringwall"));
}

}  // namespace
}  // namespace ringwall::mcp
