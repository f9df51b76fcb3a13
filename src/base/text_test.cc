#include "base/text.h"

#include <gtest/gtest.h>

namespace ringwall::text {

TEST(Quote, PlainWordsStayAsTheyAre) {
  EXPECT_EQ(quote("/usr/bin/env"), "/usr/bin/env");
  EXPECT_EQ(quote("a b"), "'a b'");
  EXPECT_EQ(quote(""), "''");
  EXPECT_EQ(quote("grün"), "grün");
}

TEST(Quote, NothingATerminalObeysGetsThrough) {
  EXPECT_EQ(quote("\x1b]52;c;aGk=\x07"), "'\\x1b]52;c;aGk=\\x07'");
  EXPECT_EQ(quote("a\nb"), "'a\\x0ab'");
  EXPECT_EQ(quote("\xc2\x9b"), "'\\xc2\\x9b'");           // C1 control sequence introducer
  EXPECT_EQ(quote("\xe2\x80\xae"), "'\\xe2\\x80\\xae'");  // right-to-left override
  EXPECT_EQ(quote("\xc0\xaf"), "'\\xc0\\xaf'");           // overlong '/'
  EXPECT_EQ(quote("\xff"), "'\\xff'");
}

TEST(Quote, CannotCloseItsOwnQuotes) { EXPECT_EQ(quote("a'b\\"), "'a\\x27b\\x5c'"); }

TEST(HarmlessJson, BrokenBytesAndControlsBecomeEscapes) {
  EXPECT_EQ(harmless_json("{\"a\":\"grün\"}"), "{\"a\":\"grün\"}");
  EXPECT_EQ(harmless_json("\"\xff\""), "\"\\ufffd\"");
  EXPECT_EQ(harmless_json("\"\xc2\x9b\""), "\"\\u009b\"");
  EXPECT_EQ(harmless_json("\"a\x7f\x1b\xe2\x80\xae\""), "\"a\\u007f\\u001b\\u202e\"");
  EXPECT_EQ(harmless_json("\"\xf3\xa0\x81\x81\xf0\x9f\x98\x80\""),
            "\"\\udb40\\udc41\xf0\x9f\x98\x80\"");  // a tag, and a face
  EXPECT_EQ(harmless_json("{}\n"), "{}\n");
}

TEST(Nearest, FindsMisspeltWordsOnly) {
  std::vector<std::string> words = {"read", "write", "workspace"};
  EXPECT_EQ(nearest("wirte", words), "write");
  EXPECT_EQ(nearest("worksapce", words), "workspace");
  EXPECT_EQ(nearest("completely-different", words), "");
}

TEST(Matches, StarsStandAtAnEnd) {
  EXPECT_TRUE(matches("LC_ALL", "LC_*"));
  EXPECT_TRUE(matches("HTTP_PROXY", "*_PROXY"));
  EXPECT_TRUE(matches("TERM", "TERM"));
  EXPECT_FALSE(matches("TERMS", "TERM"));
}

TEST(Split, KeepsEmptyParts) {
  EXPECT_EQ(split("a::b", ':').size(), 3u);
  EXPECT_EQ(split("", ':').size(), 1u);
}

TEST(SmallLetters, AreThoseOfAscii) {
  EXPECT_EQ(in_small_letters("AZaz09-\xc4[@`{"), "azaz09-\xc4[@`{");
}

}  // namespace ringwall::text
