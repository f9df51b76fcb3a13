#include "mcp/message.h"

#include <gtest/gtest.h>

namespace ringwall::mcp {
namespace {

TEST(McpMessage, RefusesWhatReadersReadDifferently) {
  for (const char* line :
       {"", "[]", "1", "{}", R"({"jsonrpc":"2.0"})", R"({"jsonrpc":"2.0","id":null,"method":"a"})",
        R"({"jsonrpc":"2.0","id":1.5,"method":"a"})",
        R"({"jsonrpc":"2.0","id":1,"method":"a","result":{}})",
        R"({"jsonrpc":"2.0","id":1,"result":{},"error":{}})",
        R"({"jsonrpc":"2.0","id":1,"method":"a","params":[]})",
        R"({"jsonrpc":"2.0","id":1,"id":1,"method":"a"})",
        R"({"jsonrpc":"2.0","id":1,"method":"a","Method":"b"})",
        R"({"jsonrpc":"2.0","id":1,"method":"a","params":{"x":1,"\u0078":2}})",
        R"({"jsonrpc":"2.0","id":1,"method":"a","params":{"argument\u017f":2}})",
        R"({"jsonrpc":"2.0","id":1,"method":"\ud800"})",
        R"({"jsonrpc":"2.0","id":1,"method":"a"} x)"})
    EXPECT_FALSE(parse_message(line)) << line;
  EXPECT_TRUE(parse_message(R"({"jsonrpc":"2.0","id":"x","method":"a"})"));
}

TEST(McpMessage, WritesOnlyWhatItUnderstood) {
  auto message = parse_message(R"({"jsonrpc":"2.0","id":1,"method":"a","extra":true})");
  ASSERT_TRUE(message);
  EXPECT_EQ(message->line(), R"({"jsonrpc":"2.0","id":1,"method":"a"})");
}

}  // namespace
}  // namespace ringwall::mcp
