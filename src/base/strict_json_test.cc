#include "base/strict_json.h"

#include <gtest/gtest.h>

namespace ringwall::strict_json {
namespace {

std::string complaint(std::string_view text, const Limits& limits = {}) {
  auto parsed = parse(text, limits);
  return parsed ? "" : parsed.error().what;
}

TEST(StrictJson, ReadsWhatIsRight) {
  auto parsed = parse_object(R"( {"a":[1,-2,3.5,true,null,"x\u00e9y"],"b":{"a":1}} )");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(boost::json::serialize(*parsed),
            "{\"a\":[1,-2,3.5E0,true,null,\"x\u00e9y\"],\"b\":{\"a\":1}}");
}

TEST(StrictJson, AKeyStandsOnceInAnObject) {
  EXPECT_EQ(complaint(R"({"command":"ls","command":"rm"})"), "has a key twice in one object");
  EXPECT_EQ(complaint(R"({"a":{"b":1,"\u0062":2}})"), "has a key twice in one object");
  EXPECT_EQ(complaint(R"({"a":{"b":1},"b":[{"b":1},{"b":2}]})"), "");
}

TEST(StrictJson, RefusesWhatOthersReadOtherwise) {
  for (std::string_view text :
       {"", " ", "{", "{} {}", "{}x", R"({"a":1,})", "[1,]", "// x\n{}", R"({'a':1})",
        "{\"a\":\"\xff\"}", "{\"a\":\"\xc0\xaf\"}", R"({"a":"\ud800"})", "{\"a\":NaN}",
        "{\"a\":\"\n\"}", "\xef\xbb\xbf{}"})
    EXPECT_NE(complaint(text), "") << text;
}

TEST(StrictJson, SizeAndDepthHaveAnEnd) {
  EXPECT_EQ(complaint("[[1]]", {100, 2}), "");
  EXPECT_EQ(complaint("[[[1]]]", {100, 2}), "is nested too deeply");
  EXPECT_EQ(complaint(std::string(100'000, '[')), "is nested too deeply");
  EXPECT_EQ(complaint("[1,2,3]", {6, 2}), "is longer than 6 bytes");
  EXPECT_FALSE(parse_object("[]"));
}

}  // namespace
}  // namespace ringwall::strict_json
