#include "policy/toml_text.h"

#include <gtest/gtest.h>

namespace ringwall::policy {
namespace {

TEST(TomlText, PlainTextsStayAsTheyAre) {
  EXPECT_EQ(in_toml_quotes("~/a b"), "\"~/a b\"");
  EXPECT_EQ(in_toml_quotes("größe/日本/🦀"), "\"größe/日本/🦀\"");
}

TEST(TomlText, NothingEndsTheStringOrReachesATerminal) {
  EXPECT_EQ(in_toml_quotes("a\"b\\c"), "\"a\\\"b\\\\c\"");
  EXPECT_EQ(in_toml_quotes("a\nb\x7f"), "\"a\\U0000000Ab\\U0000007F\"");
  EXPECT_EQ(in_toml_quotes("\xe2\x80\xae"), "\"\\U0000202E\"");
  EXPECT_EQ(in_toml_quotes("\xc2\x9b"), "\"\\U0000009B\"");
  EXPECT_EQ(in_toml_comment("a\n# b"), "a\\x0a# b");
}

TEST(TomlText, KnowsWhatIsNoUtf8) {
  for (const char* text : {"", "a", "ä", "日", "🦀", "\xf4\x8f\xbf\xbf"})
    EXPECT_TRUE(is_utf8(text)) << text;
  for (const char* text : {"\xff", "\x80", "\xc0\x80", "\xc3", "\xe0\x80\x80", "\xed\xa0\x80",
                           "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "a\xe2\x80"})
    EXPECT_FALSE(is_utf8(text)) << text;
}

}  // namespace
}  // namespace ringwall::policy
