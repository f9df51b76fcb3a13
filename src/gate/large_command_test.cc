// Commands that are larger than what anybody writes: what is denied is found wherever it stands,
// and what cannot be looked at is denied.
#include <gtest/gtest.h>

#include <functional>

#include "gate/decide.h"

namespace ringwall::gate {
namespace {

constexpr size_t kLarge = 1 << 20;

std::string repeated(const std::function<std::string(int)>& part, size_t size = kLarge) {
  std::string text;
  for (int i = 0; text.size() < size; i++)
    text += part(i);
  return text;
}

std::string repeated(const char* part, size_t size = kLarge) {
  return repeated([=](int) { return std::string(part); }, size);
}

Answer answer_to(const std::string& command) {
  policy::Tools tools;
  tools.deny.push_back({"Bash(zap *)"});
  auto rules = compile_rules(tools);
  ToolCall call{"Bash", true, {{"command", command}}, "/home/u/app"};
  return decide(*rules, call, {"/home/u", "/home/u/app"}).answer;
}

TEST(LargeCommand, TextOfAFileIsReadWhole) {
  for (const char* head : {"cat > notes.txt <<'EOF'\n", "cat > notes.txt <<EOF\n"}) {
    std::string file = head + repeated("some zap; of && (text\n") + "EOF\n";
    EXPECT_EQ(answer_to(file + "ls"), Answer::open) << head;
    EXPECT_EQ(answer_to(file + "zap x"), Answer::deny) << head;
  }
  std::string code = "python3 -c '" + repeated("print(1)\n") + "'; ";
  EXPECT_EQ(answer_to(code + "ls"), Answer::open);
  EXPECT_EQ(answer_to(code + "zap x"), Answer::deny);
}

TEST(LargeCommand, WhatIsDeniedIsFoundInWhatIsNotParsed) {
  const std::string texts[] = {
      repeated("ls a && "),     repeated("ls a; "),        repeated("ls $(ls b); "),
      repeated("ls `ls b`; "),  repeated("ls | "),         repeated("if ls; then "),
      repeated("{ ls; "),       repeated("ls ${a:-b; "),   std::string(10000, '('),
      repeated("[[ a && b ; "), repeated("case x in a) "), repeated("$("),
  };
  for (const std::string& text : texts) {
    EXPECT_EQ(answer_to(text + "ls x"), Answer::ask) << text.substr(0, 20);
    EXPECT_EQ(answer_to(text + "zap x"), Answer::deny) << text.substr(0, 20);
    EXPECT_EQ(answer_to(text + "sh -c 'zap x'"), Answer::deny) << text.substr(0, 20);
  }
}

TEST(LargeCommand, WhatIsDeniedIsFoundBehindTheBoundsOfTheWalk) {
  auto variables = [](int i) { return "A" + std::to_string(i % 1500) + "=x; "; };
  auto exports = [](int i) { return "export A" + std::to_string(i % 900) + "=x; "; };
  auto functions = [](int i) { return "f" + std::to_string(i % 1500) + "() { ls; }; "; };
  for (const auto& part :
       {std::function(variables), std::function(exports), std::function(functions)}) {
    std::string text = repeated(part, 60000);
    EXPECT_EQ(answer_to(text + "ls x"), Answer::ask) << part(0);
    EXPECT_EQ(answer_to(text + "zap x"), Answer::deny) << part(0);
  }
}

TEST(LargeCommand, ManyChoicesHideNothing) {
  for (const char* part : {"$x{a,b}c ", "*${x:-}[", "eval "}) {
    std::string text = repeated(part, 60000);
    EXPECT_NE(answer_to("ls " + text + "; ls x"), Answer::deny) << part;
    EXPECT_EQ(answer_to("ls " + text + "; zap x"), Answer::deny) << part;
  }
  EXPECT_EQ(answer_to(repeated("eval ", 60000) + "zap x"), Answer::deny);
}

TEST(LargeCommand, NestedQuotesHideNothing) {
  std::string harmless = "ls x", denied = "zap x";
  for (int i = 0; i < 10; i++) {
    for (std::string* text : {&harmless, &denied}) {
      std::string quoted;
      for (char c : *text)
        quoted += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
      *text = "sh -c \"" + quoted + "\"";
    }
  }
  EXPECT_EQ(answer_to(harmless), Answer::ask);
  EXPECT_EQ(answer_to(denied), Answer::deny);
}

// Nobody could look through these: the last of the commands may be the one that is denied.
TEST(LargeCommand, MoreThanCanBeLookedAtIsDenied) {
  EXPECT_EQ(answer_to(repeated([](int i) { return "ls f" + std::to_string(i) + "\n"; })),
            Answer::deny);
  EXPECT_EQ(answer_to("ls " + repeated("a ")), Answer::deny);
  EXPECT_EQ(answer_to(repeated("sudo -u me ", 1000) + "ls"), Answer::deny);
  EXPECT_EQ(answer_to("ls " + repeated([](int i) { return "f" + std::to_string(i) + " "; }, 4000)),
            Answer::open);
}

}  // namespace
}  // namespace ringwall::gate
