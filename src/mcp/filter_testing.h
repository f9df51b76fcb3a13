// Messages as the tests of the filter write them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/filter.h"

namespace ringwall::mcp {

namespace json = boost::json;

inline FilterSettings settings() {
  FilterSettings made;
  made.server = "s";
  made.workspace = "/home/u/a b";
  made.judge = [](const gate::ToolCall& call) -> Verdict {
    std::string all = json::serialize(call.input);
    if (call.tool == "mcp__s__denied" || all.find("forbidden") != std::string::npos)
      return {false, false, "a rule", "not that"};
    if (call.tool == "mcp__s__asked") return {false, true, "a rule", "ask"};
    return {};
  };
  return made;
}

inline std::string request(int id, std::string_view method, std::string_view params = "{}") {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + std::string(method) +
         R"(","params":)" + std::string(params) + "}";
}

inline std::string result(int id, std::string_view body) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"result":)" + std::string(body) +
         "}";
}

inline json::object parsed(const std::string& line) { return json::parse(line).as_object(); }

inline std::string tool(std::string_view name, std::string_view description) {
  return json::serialize(
      json::object{{"name", name}, {"description", description}, {"inputSchema", json::object()}});
}

// Lists these tools; returns the names that the agent sees.
inline std::vector<std::string> listed(Filter& filter, int id, const std::string& tools,
                                       Filtered* seen = nullptr) {
  EXPECT_EQ(filter.from_agent(request(id, "tools/list")).to_server.size(), 1u);
  Filtered out = filter.from_server(result(id, R"({"tools":[)" + tools + "]}"));
  std::vector<std::string> names;
  EXPECT_EQ(out.to_agent.size(), 1u);
  json::object answer = parsed(out.to_agent.at(0));
  for (const json::value& one : answer.at("result").at("tools").as_array())
    names.emplace_back(one.at("name").as_string());
  if (seen != nullptr) *seen = out;
  return names;
}

inline bool has(const Filtered& out, Report::Kind kind) {
  return std::ranges::any_of(out.reports, [&](const Report& one) { return one.kind == kind; });
}

using Names = std::vector<std::string>;

}  // namespace ringwall::mcp
