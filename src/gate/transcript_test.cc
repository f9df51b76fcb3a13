#include "gate/transcript.h"

#include <gtest/gtest.h>

namespace ringwall::gate {
namespace {

using Messages = std::vector<std::string>;

TEST(Transcript, OfClaude) {
  std::string lines =
      R"({"type":"user","message":{"role":"user","content":"first"}})"
      "\n"
      R"({"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"no"}]}})"
      "\n"
      R"({"type":"user","message":{"role":"user","content":[{"type":"tool_result","content":"no"}]}})"
      "\n"
      R"({"type":"user","isMeta":true,"message":{"role":"user","content":"no"}})"
      "\n"
      R"({"type":"user","message":{"role":"user","content":[{"type":"text","text":"second"}]}})"
      "\n";
  EXPECT_EQ(last_messages(lines, 5), (Messages{"first", "second"}));
  EXPECT_EQ(last_messages(lines, 1), (Messages{"second"}));
  EXPECT_EQ(last_messages(std::string_view(lines).substr(10), 5), (Messages{"second"}));
}

TEST(Transcript, OfCodex) {
  std::string line = R"({"type":"response_item","payload":{"type":"message","role":"user",)"
                     R"("content":[{"type":"input_text","text":"fix it"}]}})";
  EXPECT_EQ(last_messages(line, 5), (Messages{"fix it"}));
}

TEST(Transcript, OfSomethingElse) {
  for (std::string_view text : {"", "\n\n\n", "{", "[]", "null", R"({"message":{"role":"user"}})"})
    EXPECT_TRUE(last_messages(text, 5).empty()) << text;
  EXPECT_TRUE(read_last_messages("/no/such/file", 5).empty());
  EXPECT_TRUE(read_last_messages("/proc/self", 5).empty());
}

}  // namespace
}  // namespace ringwall::gate
