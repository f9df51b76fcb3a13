#include "install/off_switch.h"

#include <gtest/gtest.h>

namespace ringwall::install {
namespace {

constexpr int64_t kNow = 1'800'000'000;

TEST(OffSwitch, holds_for_its_agent_and_its_time) {
  std::vector<Off> offs = {{"claude", kNow, kNow + 60, "why", "ann"}};
  EXPECT_TRUE(find_off(offs, "claude", kNow));
  EXPECT_TRUE(find_off(offs, "claude", kNow + 59));
  EXPECT_FALSE(find_off(offs, "claude", kNow + 60));
  EXPECT_FALSE(find_off(offs, "claude", kNow - 1)) << "a clock that was set back";
  EXPECT_FALSE(find_off(offs, "codex", kNow));
}

TEST(OffSwitch, the_last_word_counts_and_none_holds_longer_than_a_day) {
  std::vector<Off> offs = {{"claude", kNow, kNow + 600, "why", "ann"},
                           {"claude", kNow, kNow + 600, "why", "ann", kNow + 1}};
  EXPECT_FALSE(find_off(offs, "claude", kNow + 2));
  EXPECT_FALSE(find_off({{"claude", kNow, kNow + kLongestOff + 1, "", ""}}, "claude", kNow));
}

TEST(OffSwitch, is_read_back_as_it_was_written) {
  std::vector<Off> offs = {{"claude", kNow, kNow + 60, "a \"reason\"\n", "ann", 7}};
  auto read = parse_offs(offs_text(offs));
  ASSERT_TRUE(read);
  EXPECT_EQ(offs_text(*read), offs_text(offs));
  EXPECT_FALSE(parse_offs("{}"));
  EXPECT_FALSE(parse_offs("[]"));
}

}  // namespace
}  // namespace ringwall::install
