#include "policy/edit.h"

#include <gtest/gtest.h>

namespace ringwall::policy {
namespace {

std::string add(std::string_view toml, std::string_view value = "b.example:443") {
  auto added = add_to_list(toml, "network.allow", value, "policy.toml", "/home/x");
  return added ? *added : "error: " + added.error().hint;
}

}  // namespace

TEST(PolicyEdit, AddsToAListThatIsThere) {
  EXPECT_EQ(add("# mine\n[network]\nallow = [\"a.example\"] # keep\n[git]\nhooks = true\n"),
            "# mine\n[network]\nallow = [\"a.example\", \"b.example:443\"] # keep\n[git]\n"
            "hooks = true\n");
  EXPECT_EQ(add("[network]\nallow = [\n  'a.example', # one\n  \"c.example\",\n]\n"),
            "[network]\nallow = [\n  'a.example', # one\n  \"c.example\", \"b.example:443\",\n]\n");
}

TEST(PolicyEdit, AddsAListToASectionThatIsThere) {
  EXPECT_EQ(add("[network]\nprivate = [\"a.example\"]\n"),
            "[network]\nallow = [\"b.example:443\"]\nprivate = [\"a.example\"]\n");
}

TEST(PolicyEdit, AddsASection) {
  EXPECT_EQ(add(""), "[network]\nallow = [\"b.example:443\"]\n");
  EXPECT_EQ(add("[git]\nhooks = true"),
            "[git]\nhooks = true\n\n[network]\nallow = [\"b.example:443\"]\n");
}

TEST(PolicyEdit, LeavesATextThatSaysItAlready) {
  std::string text = "[network]\nallow = [\"b.example:443\"]\n";
  EXPECT_EQ(add(text), text);
}

TEST(PolicyEdit, GivesUpWhereThereIsNoSafePlace) {
  for (const char* text : {"[network]\nallow = []\n", "network.allow = []\n", "not toml",
                           "network = { allow = [] }\n"}) {
    EXPECT_EQ(add(text), "error: write it yourself: [network] allow = [\"b.example:443\"]") << text;
  }
  EXPECT_TRUE(add("", "x\"]\n[files]\nread=[\"/").starts_with("error"));
  EXPECT_EQ(add("", "b\x1b]0;title\a").find('\x1b'),
            std::string::npos);  // a terminal would obey it
}

}  // namespace ringwall::policy
