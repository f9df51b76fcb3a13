#include "terminal/detach_keys.h"

#include <gtest/gtest.h>

namespace ringwall::terminal {
namespace {

struct Typed {
  bool leaves;
  std::string passed;
};

Typed type(std::string_view keys, std::string_view typed) {
  DetachKeys detach = DetachKeys::parse(keys).value();
  std::string passed;
  bool leaves = detach.take(typed, passed);
  return {leaves, passed + detach.give_up()};
}

TEST(DetachKeys, LeaveWhenTypedInARow) {
  EXPECT_TRUE(type("ctrl-\\ ctrl-\\", "ab\x1c\x1c").leaves);
  EXPECT_EQ(type("ctrl-\\ ctrl-\\", "ab\x1c\x1c").passed, "ab");
  EXPECT_TRUE(type("ctrl-a d", "\x01\x64").leaves);
}

TEST(DetachKeys, OtherKeysPassUnchanged) {
  for (std::string_view typed : {"\x1cq\x1c", "\x1b[A\x1b[1;5D", "\x1b", "\xc3\xa9\x03", "\x1c"}) {
    Typed result = type("ctrl-\\ ctrl-\\", typed);
    EXPECT_FALSE(result.leaves);
    EXPECT_EQ(result.passed, typed);
  }
}

TEST(DetachKeys, AKeyThatBeginsAnewCounts) {
  EXPECT_TRUE(type("ctrl-a d", "\x01\x01\x64").leaves);
  EXPECT_EQ(type("ctrl-a d", "\x01\x01\x64").passed, "\x01");
}

TEST(DetachKeys, KittyKeyboardProtocolIsUnderstood) {
  EXPECT_TRUE(type("ctrl-\\ ctrl-\\", "\x1b[92;5u\x1b[92;5u").leaves);
  EXPECT_TRUE(type("ctrl-\\ ctrl-\\", "\x1b[92;5:1u\x1b[92;5:3u\x1b[92;5:1u").leaves);
  EXPECT_FALSE(type("ctrl-\\ ctrl-\\", "\x1b[92;5u\x1b[93;5u").leaves);
}

TEST(DetachKeys, LockedKeysAndXtermsFormCountToo) {
  for (std::string_view key : {"\x1b[92;133u", "\x1b[92;69:1u", "\x1b[92;197:2u", "\x1b[92:124;5u",
                               "\x1b[92:124:92;5:1u", "\x1b[27;5;92~", "\x1b[27;133;92~",
                               "\x1b[92;5:1u\x1b[92;5:3u\x1b[57442;1:3u\x1b[57442;5u"}) {
    EXPECT_TRUE(type("ctrl-\\ ctrl-\\", std::string(key) + std::string(key)).leaves) << key;
  }
  EXPECT_TRUE(type("ctrl-A d", "\x1b[97;5u\x1b[100u").leaves);
  EXPECT_TRUE(type("ctrl-a D", "\x1b[97;5u\x1b[100:68;2;68u").leaves);
  EXPECT_TRUE(type("ctrl-_", "\x1b[45:95;6u").leaves);
  EXPECT_TRUE(type("ctrl-_", "\x1b[27;6;95~").leaves);
  for (std::string_view other :
       {"\x1b[92;6u", "\x1b[92;7u", "\x1b[92u", "\x1b[92;5:3u", "\x1b[27;3;92~", "\x1b[28;5;92~",
        "\x1b[?92;5u", "\x1b[124:92;5u", "\x1b[92;5~"}) {
    Typed result = type("ctrl-\\", other);
    EXPECT_FALSE(result.leaves) << other;
    EXPECT_EQ(result.passed, other);
  }
}

TEST(DetachKeys, SplitAnywhere) {
  DetachKeys detach = DetachKeys::parse("ctrl-\\ ctrl-\\").value();
  std::string passed;
  EXPECT_FALSE(detach.take("x\x1c", passed));
  EXPECT_TRUE(detach.holds());
  EXPECT_TRUE(detach.take("\x1c", passed));
  EXPECT_EQ(passed, "x");
}

TEST(DetachKeys, NoneAndNonsense) {
  EXPECT_FALSE(type("none", "\x1c\x1c").leaves);
  EXPECT_FALSE(DetachKeys::parse("").has_value());
  EXPECT_FALSE(DetachKeys::parse("ctrl-").has_value());
  EXPECT_FALSE(DetachKeys::parse("control-a").has_value());
}

}  // namespace
}  // namespace ringwall::terminal
