#include "install/kept_numbers.h"

#include <gtest/gtest.h>

#include "base/strict_json.h"

namespace ringwall::install {
namespace {

std::string changed(std::string_view text) {
  auto parsed = strict_json::parse_object(text);
  return parsed ? number_that_would_change(text, *parsed) : "no JSON";
}

TEST(KeptNumbers, usual_ones_are_kept_as_they_are_written) {
  for (const char* text : {"{}", "{\"a\": 0.5, \"b\": [1, -2, 3.25], \"c\": 1.0}",
                           "{\"a\": \"1e400\", \"1e5\": \"\\\"7e7\"}", "{\"a\": 0.1}",
                           "{\"a\": 9223372036854775807, \"b\": {\"c\": 18446744073709551615}}"})
    EXPECT_EQ(changed(text), "") << text;
}

TEST(KeptNumbers, others_are_told) {
  EXPECT_EQ(changed("{\"a\": 1, \"b\": 100000000000000000000000001}"),
            "100000000000000000000000001");
  EXPECT_EQ(changed("{\"a\": [1E3]}"), "1E3");
  EXPECT_EQ(changed("{\"a\": 0.50}"), "0.50");
  EXPECT_NE(changed("{\"a\": 1e400}"), "");
}

}  // namespace
}  // namespace ringwall::install
