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

TEST(Event, ALimitTellsWhatRaisesItAndHowToGoOn) {
  LimitReached event{"app-1", "memory", LimitReached::Then::paused,
                     "uses 5G of memory, and 4G are allowed", "--memory"};
  EXPECT_EQ(to_text(event, false),
            "ringwall: paused: the run app-1 uses 5G of memory, and 4G are allowed\n"
            "          → let it go on: ringwall resume app-1; raise it the next time: --memory");
  EXPECT_EQ(to_json(event),
            R"({"event":"limit_reached","run":"app-1","limit":"memory","then":"paused",)"
            R"("what":"uses 5G of memory, and 4G are allowed","flag":"--memory"})");
  event.then = LimitReached::Then::killed;
  EXPECT_EQ(to_text(event, false).find("resume"), std::string::npos);
}

}  // namespace ringwall::events
