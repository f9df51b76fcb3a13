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

TEST(Event, SecretsAreNotShown) {
  std::string secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
  for (const Event& event : std::initializer_list<Event>{
           Blocked{"a", secret + ".example.com:443", secret, "x " + secret, "--allow " + secret, 1},
           Planted{"a", "/w/.git/hooks/" + secret, "r", "it is " + secret, ""},
           Asked{"a", 1, secret + ".example.com:443", secret},
           Answered{"a", 1, secret + ".example.com:443", "nobody answered", "once", ""},
           Withheld{"hid " + secret, ""}, CannotRun{secret, "not found", ""},
           NetworkUse{"a", {{secret + ".example.com:443", "no grant", 1}}}}) {
    EXPECT_EQ(to_text(event, false).find(secret), std::string::npos) << to_text(event, false);
    EXPECT_NE(to_text(event, false).find("[redacted]"), std::string::npos);
    EXPECT_EQ(to_json(event).find(secret), std::string::npos);
  }
}

TEST(Event, SuccessIsSilent) {
  EXPECT_EQ(to_text(RunStarted{}, true), "");
  EXPECT_EQ(to_text(RunEnded{"x", 3}, true), "");
}

TEST(Event, ColoursOnlyWhenAskedFor) {
  EXPECT_EQ(to_text(Refused{"", "x", ""}, false).find('\x1b'), std::string::npos);
  EXPECT_NE(to_text(Refused{"", "x", ""}, true).find('\x1b'), std::string::npos);
}

TEST(Event, AToolCallWaitsAsAConnectionDoes) {
  Asked asked{"app-1", 3, "Bash in /w: git push", "codex", "tool"};
  EXPECT_EQ(to_text(asked, false),
            "ringwall: waits for you: 'Bash in /w: git push' for codex\n"
            "          → ringwall approve app-1 3, or: ringwall reject app-1 3");
  Answered late{"app-1", 3, "Bash in /w: git push", "nobody answered", "once", "", "tool"};
  EXPECT_EQ(to_text(late, false).find("ringwall allow"), std::string::npos);
  EXPECT_EQ(to_text(ToolRefused{"app-1", "claude", "Bash", "rm -rf /", "pack files", "no"}, false),
            "ringwall: the gate refused Bash to claude: 'rm -rf /': no\n"
            "          → by the rule 'pack files'");
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

TEST(Event, ABrakeOnDeletionsTellsHowToPutFilesBack) {
  LimitReached event{"app-1", "deleted_files", LimitReached::Then::paused, "has deleted 201 files",
                     "--deleted-files"};
  EXPECT_EQ(to_text(event, false),
            "ringwall: paused: the run app-1 has deleted 201 files\n"
            "          → let it go on: ringwall resume app-1; end it and put them back: ringwall "
            "stop app-1 "
            "&& ringwall undo app-1; "
            "raise it the next time: --deleted-files");
}

}  // namespace ringwall::events
