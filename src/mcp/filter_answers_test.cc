// Which answers reach whom, and who is answered in their place.
#include "mcp/filter_testing.h"

namespace ringwall::mcp {
namespace {

TEST(McpFilter, OnlyAnswersToWhatWasAskedPass) {
  Filter filter(settings());
  EXPECT_TRUE(has(filter.from_server(result(1, "{}")), Report::Kind::dropped));
  filter.from_agent(request(1, "ping"));
  EXPECT_TRUE(filter.from_server(result(2, "{}")).to_agent.empty());
  EXPECT_EQ(filter.from_server(result(1, "{}")).to_agent.size(), 1u);
  EXPECT_TRUE(filter.from_server(result(1, "{}")).to_agent.empty());
  EXPECT_TRUE(filter.from_agent(result(5, "{}")).to_server.empty());
}

TEST(McpFilter, AnAnswerThatIsDroppedIsAnErrorForWhoeverWaits) {
  for (const char* line : {
           R"({"jsonrpc":"2.0","id":31,"result":{"a":1,"a":2}})",
           R"({"jsonrpc":"2.0","id":31,"method":"ping","result":{}})",
           R"({"jsonrpc":"2.0","id":"31","result":{}})",
           R"({"jsonrpc":"2.0","id":31.0,"result":{}})",
           R"({"jsonrpc":"2.0","id":31,"result":[]})",
           R"([{"jsonrpc":"2.0","id":31,"result":{}}])",
           R"({"jsonrpc":"2.0","id":31,"result":{"a":"\ud800"}})",
           R"({"jsonrpc":"2.0","id":31,"result":{"a":)",
       }) {
    Filter filter(settings());
    filter.from_agent(request(30, "ping"));
    filter.from_agent(request(31, "ping"));
    Filtered out = filter.from_server(line);
    ASSERT_EQ(out.to_agent.size(), 1u) << line;
    json::object answer = parsed(out.to_agent[0]);
    EXPECT_EQ(answer.at("id").as_int64(), 31) << line;
    EXPECT_TRUE(answer.contains("error")) << line;
    EXPECT_TRUE(has(out, Report::Kind::dropped)) << line;
    // That was the answer: no other one follows.
    EXPECT_TRUE(filter.from_server(result(31, "{}")).to_agent.empty()) << line;
    EXPECT_EQ(filter.from_server(result(30, "{}")).to_agent.size(), 1u) << line;
  }
}

TEST(McpFilter, NoiseOfAServerAnswersNobody) {
  Filter filter(settings());
  filter.from_agent(request(1, "ping"));
  for (const char* line : {"starting", "{", R"({"level":"info","id":1})", R"({"id":1,"method":2})",
                           R"({"jsonrpc":"2.0","id":9,"result":[]})"})
    EXPECT_TRUE(filter.from_server(line).to_agent.empty()) << line;
  EXPECT_EQ(filter.from_server(result(1, "{}")).to_agent.size(), 1u);
  // An answer without an id can only be for the one that waits.
  filter.from_agent(request(2, "ping"));
  EXPECT_EQ(filter.from_server(R"({"jsonrpc":"2.0","result":{}})").to_agent.size(), 1u);
}

TEST(McpFilter, ARefusedLineOfTheAgentIsAnsweredByItsId) {
  Filter filter(settings());
  auto id_of = [&](const char* line) {
    Filtered out = filter.from_agent(line);
    EXPECT_TRUE(out.to_server.empty()) << line;
    EXPECT_EQ(out.to_agent.size(), 1u) << line;
    return parsed(out.to_agent.at(0)).at("id");
  };
  EXPECT_EQ(id_of(R"({"jsonrpc":"2.0","id":4,"method":"ping","params":[]})"), 4);
  EXPECT_EQ(id_of(R"({"jsonrpc":"2.0","id":"x","method":"ping","method":"ping"})"), "x");
  EXPECT_EQ(id_of("{"), nullptr);
  // Not in the place of an answer that is still to come.
  filter.from_agent(request(5, "ping"));
  EXPECT_EQ(id_of(R"({"jsonrpc":"2.0","id":5,"method":"ping","params":[]})"), nullptr);
}

TEST(McpFilter, WaitsForNoAnswerOfTheAgentThatCannotBeRead) {
  FilterSettings granted = settings();
  granted.sampling = true;
  Filter filter(std::move(granted));
  ASSERT_EQ(filter.from_server(request(9, "sampling/createMessage")).to_agent.size(), 1u);
  Filtered out = filter.from_agent(R"({"jsonrpc":"2.0","id":9,"result":[]})");
  ASSERT_EQ(out.to_server.size(), 1u);
  EXPECT_TRUE(parsed(out.to_server[0]).contains("error"));
}

}  // namespace
}  // namespace ringwall::mcp
