#include "events/event.h"

#include <gtest/gtest.h>

namespace ringwall::events {

TEST(Event, JsonIsOneLineWhateverItHolds) {
  std::string json = to_json(CannotRun{"a\n\x1b[31m", "not found", ""});
  EXPECT_EQ(json.find('\n'), std::string::npos);
  EXPECT_EQ(json.find('\x1b'), std::string::npos);
  EXPECT_NE(json.find("\"event\":\"cannot_run\""), std::string::npos);
}

TEST(Event, NamesAreQuotedOnTheScreen) {
  EXPECT_EQ(to_text(CannotRun{"\x1b[31mx", "not found", "install it"}, false),
            "ringwall: '\\x1b[31mx': not found\n          → install it");
}

TEST(Event, SuccessIsSilent) {
  EXPECT_EQ(to_text(RunStarted{}, true), "");
  EXPECT_EQ(to_text(RunEnded{"x", 3}, true), "");
}

TEST(Event, ColoursOnlyWhenAskedFor) {
  EXPECT_EQ(to_text(Refused{"", "x", ""}, false).find('\x1b'), std::string::npos);
  EXPECT_NE(to_text(Refused{"", "x", ""}, true).find('\x1b'), std::string::npos);
}

}  // namespace ringwall::events
