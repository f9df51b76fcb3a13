#include "gate/hook_event.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/strict_json.h"

namespace ringwall::gate {
namespace {

namespace json = boost::json;

std::string complaint(Agent agent, std::string_view event, std::string_view text) {
  auto read = read_hook(dialect_of(agent), event, text);
  return read ? "" : read.error().what;
}

json::array show(const std::vector<ToolCall>& calls) {
  json::array out;
  for (const ToolCall& call : calls) {
    json::object shown{{"tool", call.tool}, {"input", call.input}, {"folder", call.folder}};
    if (!call.known) shown["known"] = false;
    out.push_back(std::move(shown));
  }
  return out;
}

// Each line of tests/corpus/hooks/AGENT.jsonl: what an agent sends, and what it means.
void try_corpus(Agent agent) {
  std::string name(dialect_of(agent).name);
  std::ifstream file(std::string(RINGWALL_SOURCE) + "/tests/corpus/hooks/" + name + ".jsonl");
  ASSERT_TRUE(file) << name;
  size_t lines = 0;
  for (std::string line; std::getline(file, line); lines++) {
    auto row = strict_json::parse_object(line);
    ASSERT_TRUE(row) << line;
    auto read = read_hook(dialect_of(agent), row->at("event").as_string().c_str(),
                          json::serialize(row->at("payload")));
    if (const json::value* wrong = row->if_contains("error")) {
      ASSERT_FALSE(read) << line;
      EXPECT_EQ(read.error().what, wrong->as_string()) << line;
      continue;
    }
    ASSERT_TRUE(read) << line << ": " << read.error().what;
    if (const json::value* calls = row->if_contains("calls")) {
      EXPECT_TRUE(json::value(show(read->calls)) == *calls) << line << "\n"
                                                            << json::serialize(show(read->calls));
    }
    if (const json::value* result = row->if_contains("result")) {
      EXPECT_EQ(read->result, std::string_view(result->as_string())) << line;
    }
  }
  EXPECT_GE(lines, 10u);
}

TEST(HookEvent, CorpusOfClaude) { try_corpus(Agent::claude); }
TEST(HookEvent, CorpusOfCodex) { try_corpus(Agent::codex); }
TEST(HookEvent, CorpusOfGemini) { try_corpus(Agent::gemini); }
TEST(HookEvent, CorpusOfCopilot) { try_corpus(Agent::copilot); }
TEST(HookEvent, CorpusOfCursor) { try_corpus(Agent::cursor); }

TEST(HookEvent, WhatIsNotUnderstoodIsAnError) {
  EXPECT_NE(complaint(Agent::claude, "PreToolUse", "{"), "");
  EXPECT_NE(complaint(Agent::claude, "PreToolUse", "[]"), "");
  EXPECT_EQ(complaint(Agent::claude, "", R"({"cwd":"/w"})"),
            "does not say which event it is about");
  EXPECT_EQ(complaint(Agent::claude, "PreToolUse", R"({"hook_event_name":"Stop"})"),
            "is about the event Stop, not PreToolUse");
  EXPECT_EQ(complaint(Agent::codex, "BeforeTool", "{}"),
            "is about BeforeTool, which is no event of codex");
  EXPECT_EQ(complaint(Agent::claude, "PreToolUse", R"({"tool_name":"Bash"})"),
            "does not say in which folder the agent is");
  EXPECT_EQ(complaint(Agent::claude, "PreToolUse", R"({"cwd":"/w","tool_name":"Bash"})"),
            "has no tool_input");
  EXPECT_EQ(complaint(Agent::claude, "PreToolUse",
                      R"({"cwd":"/w","tool_name":"Bash","tool_input":{"command":["ls"]}})"),
            "Bash without command");
  EXPECT_EQ(complaint(Agent::claude, "PreToolUse",
                      R"({"cwd":"/w","tool_name":"Bash","tool_input":{"command":"ls\u0000"}})"),
            "a text with a zero byte");
}

TEST(HookEvent, KeysOfAResultAreReadBehindItsTexts) {
  auto read = read_hook(dialect_of(Agent::claude), "PostToolUse",
                        R"({"tool_name":"x","tool_response":{"an order, of many words":"one",
                            "plain_name":["two",{"in here":"three"}]}})");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->result, "one\ntwo\nthree\n\nan order, of many words\n\nin here\n");
}

TEST(HookEvent, ATooLongOneIsAnError) {
  std::string text = R"({"cwd":"/w","x":")" + std::string(kMostHookBytes, 'a') + "\"}";
  EXPECT_NE(complaint(Agent::claude, "PreToolUse", text), "");
}

}  // namespace
}  // namespace ringwall::gate
