#include "policy/advisor.h"

#include <gtest/gtest.h>

#include "policy/load.h"

namespace ringwall::policy {
namespace {

TEST(AdvisorPolicy, IsASectionWithinTools) {
  LoadedText loaded = load_text(
      "[tools]\ndeny = [\"Bash(rm *)\"]\n[tools.advisor]\nurl = "
      "\"https://api.example/v1/messages\"\n"
      "model = \"m-1\"\nkey = \"env:ADVISOR_KEY\"\ntime = \"5s\"\n",
      Layer::person, "/p.toml", "/home/u");
  EXPECT_TRUE(loaded.diagnostics.empty());
  EXPECT_EQ(loaded.text.settings.size(), 5u);
}

TEST(AdvisorPolicy, MistakesHaveTheirPlace) {
  for (const char* line :
       {"url = \"https://api.example/\"", "url = \"http://api.example/v1/messages\"",
        "url = \"api.example\"", "key = \"sk-abcdef\"", "key = \"env:\"", "key = \"file:key\"",
        "model = \"two words\"", "time = \"1h\"", "urls = \"x\""}) {
    std::string text = std::string("[tools.advisor]\n") + line + "\n";
    LoadedText loaded = load_text(text, Layer::person, "/p.toml", "/home/u");
    ASSERT_EQ(loaded.diagnostics.size(), 1u) << line;
    EXPECT_EQ(loaded.diagnostics[0].line, 2u) << line;
  }
}

TEST(AdvisorPolicy, AKeyThatWasPastedIsNotShown) {
  LoadedText loaded =
      load_text("[tools.advisor]\nkey = \"sk-abcdef\"\n", Layer::person, "/p", "/h");
  ASSERT_EQ(loaded.diagnostics.size(), 1u);
  EXPECT_EQ(loaded.diagnostics[0].what.find("abcdef"), std::string::npos);
}

TEST(AdvisorPolicy, KeyPlaces) {
  EXPECT_EQ(parse_key_place("env:KEY", "/h")->name, "KEY");
  EXPECT_EQ(parse_key_place("file:~/.key", "/h")->name, "/h/.key");
  EXPECT_EQ(parse_key_place("file:/k", "")->name, "/k");
}

}  // namespace
}  // namespace ringwall::policy
