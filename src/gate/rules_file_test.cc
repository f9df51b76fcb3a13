#include "gate/rules_file.h"

#include <gtest/gtest.h>

namespace ringwall::gate {

TEST(RulesFile, ComesBackAsItWasWritten) {
  RulesOfRun rules{{}, "/home/ann", "/home/ann/app"};
  rules.tools.deny = {{"Bash(rm *)", {policy::Layer::person, "/p.toml", 3, 7}}};
  rules.tools.ask = {{"{\"rule\":\"Read(//etc/**)\",\"reason\":\"x\"}", {}}};
  rules.tools.allow = {};
  auto read = read_rules(write_rules(rules));
  ASSERT_TRUE(read) << read.error().what;
  EXPECT_EQ(read->home, "/home/ann");
  EXPECT_EQ(read->workspace, "/home/ann/app");
  ASSERT_EQ(read->tools.deny.size(), 1u);
  EXPECT_EQ(read->tools.deny[0].value, "Bash(rm *)");
  EXPECT_EQ(read->tools.deny[0].origin.text(), "/p.toml:3");
  EXPECT_EQ(read->tools.ask.size(), 1u);
  EXPECT_TRUE(read->tools.allow.empty());
  EXPECT_EQ(write_rules(*read), write_rules(rules));
}

TEST(RulesFile, WhatIsNotWholeIsAnError) {
  std::string whole = write_rules({{}, "/h", "/w"});
  EXPECT_TRUE(read_rules(whole));
  for (std::string_view gone : {"\"home\"", "\"workspace\"", "\"deny\"", "\"ask\"", "\"allow\""}) {
    std::string text = whole;
    text.replace(text.find(gone), gone.size(), "\"x\"");
    EXPECT_FALSE(read_rules(text)) << gone;
  }
  EXPECT_FALSE(read_rules(""));
  EXPECT_FALSE(read_rules(R"({"home":"/h","workspace":"/w","deny":["x"],"ask":[],"allow":[],)"
                          R"("packs":[],"no_packs":[]})"));
}

}  // namespace ringwall::gate
