#include "policy/numbers.h"

#include <gtest/gtest.h>

#include "policy/values.h"

namespace ringwall::policy {
namespace {

constexpr uint64_t kGiga = 1ull << 30;

uint64_t parsed(Shape shape, std::string_view text) {
  auto number = parse_number(shape, text);
  EXPECT_TRUE(number) << text;
  return number.value_or(12345);
}

}  // namespace

TEST(Numbers, SizesInEveryUsualSpelling) {
  EXPECT_EQ(parsed(Shape::size, "4G"), 4 * kGiga);
  EXPECT_EQ(parsed(Shape::size, "4g"), 4 * kGiga);
  EXPECT_EQ(parsed(Shape::size, "4GB"), 4 * kGiga);
  EXPECT_EQ(parsed(Shape::size, "4GiB"), 4 * kGiga);
  EXPECT_EQ(parsed(Shape::size, "1.5G"), kGiga + kGiga / 2);
  EXPECT_EQ(parsed(Shape::size, "0.3G"), kGiga * 3 / 10);
  EXPECT_EQ(parsed(Shape::size, "512k"), 512u << 10);
  EXPECT_EQ(parsed(Shape::size, "4096"), 4096u);
  EXPECT_EQ(parsed(Shape::size, "2T"), kGiga * 2048);
}

TEST(Numbers, TimesMayHaveSeveralParts) {
  EXPECT_EQ(parsed(Shape::duration, "90s"), 90'000u);
  EXPECT_EQ(parsed(Shape::duration, "90"), 90'000u);
  EXPECT_EQ(parsed(Shape::duration, "30m"), 1'800'000u);
  EXPECT_EQ(parsed(Shape::duration, "1h30m"), 5'400'000u);
  EXPECT_EQ(parsed(Shape::duration, "1.5h"), 5'400'000u);
  EXPECT_EQ(parsed(Shape::duration, "250ms"), 250u);
}

TEST(Numbers, ASpaceBeforeTheUnit) {
  EXPECT_EQ(parsed(Shape::size, "50 MB"), 50u << 20);
  EXPECT_EQ(parsed(Shape::duration, "90 s"), 90'000u);
}

TEST(Numbers, CountsAndProcessors) {
  EXPECT_EQ(parsed(Shape::count, "200"), 200u);
  EXPECT_EQ(parsed(Shape::processors, "1.5"), 1500u);
  EXPECT_EQ(parsed(Shape::processors, "2"), 2000u);
}

TEST(Numbers, WhatIsNoNumberIsAnError) {
  for (const char* text :
       {"", " ", "x", "-1", "+1", "1.", ".5", "1..2", "4X", "4  G", "G", "1e9", "0x10",
        "99999999999999999999", "18446744073709551615G", "1G1G", "1.00000001G"}) {
    EXPECT_FALSE(parse_number(Shape::size, text)) << text;
  }
  for (const char* text : {"1h 30m", "h", "1y", "1h-1m", "999999999999999999h"})
    EXPECT_FALSE(parse_number(Shape::duration, text)) << text;
  for (const char* text : {"1.5", "1k", "two"})
    EXPECT_FALSE(parse_number(Shape::count, text)) << text;
  EXPECT_NE(parse_number(Shape::size, "4X").error().what.find("512M"), std::string::npos);
}

TEST(Numbers, AreShownAsPeopleWriteThem) {
  EXPECT_EQ(show_number(Shape::size, 4 * kGiga), "4G");
  EXPECT_EQ(show_number(Shape::size, kGiga + kGiga / 2), "1.5G");
  EXPECT_EQ(show_number(Shape::size, 1000), "1000B");
  EXPECT_EQ(show_number(Shape::duration, 90'000), "90s");
  EXPECT_EQ(show_number(Shape::duration, 7'200'000), "2h");
  EXPECT_EQ(show_number(Shape::duration, 250), "250ms");
  EXPECT_EQ(show_number(Shape::processors, 1250), "1.25");
  EXPECT_EQ(show_number(Shape::processors, 500), "0.5");
  EXPECT_EQ(show_number(Shape::count, 4096), "4096");
  EXPECT_EQ(show_number(Shape::size, kNoLimit), "none");
}

TEST(Numbers, WhatIsShownCanBeReadBack) {
  for (const Field& field : fields()) {
    const auto* number = std::get_if<NumberOf>(&field.member);
    if (number == nullptr) continue;
    for (uint64_t value : {number->least, number->most}) {
      EXPECT_EQ(parsed(field.shape, show_number(field.shape, value)), value) << field.key;
    }
  }
}

// The default stands in policy.h; the help repeats it for people.
TEST(Numbers, HelpTellsTheDefault) {
  Policy policy;
  for (const Field& field : fields()) {
    const auto* number = std::get_if<NumberOf>(&field.member);
    if (number == nullptr) continue;
    std::string help(field.help);
    auto value = number->of(policy).value;
    std::string told = value ? "default " + show_number(field.shape, *value) : "default: ";
    EXPECT_NE(help.find(told), std::string::npos) << field.key << ": " << told;
    EXPECT_EQ(help.ends_with("default none"), value == kNoLimit) << field.key;
    EXPECT_TRUE(value != kNoLimit || number->may_be_none) << field.key;
    EXPECT_FALSE(field.widens) << field.key;
  }
}

TEST(Numbers, BoundsAreKept) {
  Policy policy;
  Source source{{Layer::command_line, "--x"}, "/", "/home/u"};
  const Field& memory = *field_by_key("limits.memory");
  put(policy, *check_text(memory, "4G", source));
  EXPECT_EQ(policy.limits.memory.value, 4 * kGiga);
  EXPECT_EQ(policy.limits.memory.origin.text(), "--x");
  put(policy, *check_text(memory, "none", source));
  EXPECT_EQ(policy.limits.memory.value, kNoLimit);
  auto little = check_text(memory, "1M", source);
  ASSERT_FALSE(little);
  EXPECT_EQ(little.error().what, "limits.memory 1M is too little");
  EXPECT_EQ(little.error().hint, "the least is 16M");
  EXPECT_FALSE(check_text(memory, "9999T", source));
  auto wrong = check_text(memory, "4X", source);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().what, "limits.memory 4X must be a size such as 512M or 4G, or none");
  EXPECT_FALSE(check_text(*field_by_key("limits.processes"), "none", source));
  EXPECT_FALSE(check_text(*field_by_key("limits.processes"), "1", source));
}

}  // namespace ringwall::policy
