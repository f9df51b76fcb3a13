#include "terminal/tracked_modes.h"

#include <gtest/gtest.h>

#include "terminal/filter.h"

namespace ringwall::terminal {
namespace {

TrackedModes after(std::string_view bytes) {
  Filter filter({});
  (void)filter.pass(bytes);
  EXPECT_EQ(filter.dropped(), 0U) << bytes;
  return filter.modes();
}

std::string leave(std::string_view bytes) { return sequences_to_leave(after(bytes)); }
std::string enter(std::string_view bytes) { return sequences_to_enter(after(bytes)); }

TEST(TrackedModes, NothingIsSentForWhatIsOff) {
  EXPECT_EQ(leave("text\x1b[2J\x1b[H\x1b[6n"), "");
  EXPECT_EQ(enter("text\x1b[2J\x1b[H\x1b[6n"), "");
  EXPECT_EQ(leave("\x1b[?1049h\x1b[?25l\x1b[1;31m\x1b[m\x1b[?25h\x1b[?1049l"), "");
  EXPECT_EQ(leave("\x1b[?1000;1006h\x1b[?1000;1006l\x1b=\x1b>\x1b[>1u\x1b[<u\x1b[22;0t\x1b[23;0t"),
            "");
}

TEST(TrackedModes, EachModeIsUndone) {
  EXPECT_EQ(leave("\x1b[?1049h"), "\x1b[?1049l");
  EXPECT_EQ(leave("\x1b[?47h"), "\x1b[?47l");
  EXPECT_EQ(leave("\x1b[?25l"), "\x1b[?25h");
  EXPECT_EQ(leave("\x1b[?7l"), "\x1b[?7h");
  EXPECT_EQ(leave("\x1b[?1003;1006h"), "\x1b[?1003l\x1b[?1006l");
  EXPECT_EQ(leave("\x1b[?2004;1004;2026h"), "\x1b[?2026l\x1b[?1004l\x1b[?2004l");
  EXPECT_EQ(leave("\x1b[?1h\x1b=\x1b[4h"), "\x1b[?1l\x1b[4l\x1b>");
  EXPECT_EQ(leave("\x1b[4 q\x1b[?8c"), "\x1b[0 q\x1b[?0c");
  EXPECT_EQ(leave("\x1b[>4;2m"), "\x1b[>4m");
  EXPECT_EQ(leave("\x1b[22;0t\x1b[22;2t"), "\x1b[23;0t\x1b[23;0t");
  EXPECT_EQ(leave("\x1b[1m"), "\x1b[10m\x1b[m");
  EXPECT_EQ(leave("\x1b[38;5;0m"), "\x1b[10m\x1b[m");
  EXPECT_EQ(leave("\x1b(0\x1b)0\x0e"), "\x0f\x1b(B\x1b)B");
  EXPECT_EQ(leave("\x1b]8;;https://a\a"), "\x1b]8;;\x1b\\");
  EXPECT_EQ(leave("\x1b]9;4;1;5\a"), "\x1b]9;4;0\x1b\\");
  EXPECT_EQ(leave("\x1b]4;3;#fff\a\x1b]11;red\a"), "\x1b]104;3\x1b\\\x1b]111\x1b\\");
  EXPECT_EQ(leave("\x1b]4;3;#fff;4;#fff\a\x1b]11;red\a\x1b]104\a\x1b]111\a"), "");
  EXPECT_EQ(leave("\x1b[3g"), "\x1b[?5W");
}

TEST(TrackedModes, AllThatAProgramCanSwitchOnIsUndoneWhereNobodyKnows) {
  std::string undone = sequences_to_leave(TrackedModes::unknown());
  for (const ModeRule& rule : mode_rules()) {
    std::string number = std::to_string(rule.number),
                prefix = rule.marker == 0 ? "\x1b[" : "\x1b[?";
    std::string normal = prefix + number + (rule.normally_on ? "h" : "l");
    bool is_chosen = number == "12" || number == "1007" || number == "1034" || number == "2027";
    bool is_apart = number == "1048" || number == "1049";
    bool expected = rule.rule.verdict == Verdict::pass && !is_chosen && !is_apart;
    EXPECT_EQ(undone.contains(normal), expected) << normal;
  }
  for (const char* other : {"\x1b[<8u", "\x1b[=0;1u", "\x1b[>4m", "\x1b]8;;\x1b\\", "\x1b[r",
                            "\x1b[m", "\x0f", "\x1b(B", "\x1b)B", "\x1b>", "\x1b[0 q",
                            "\x1b]104\x1b\\", "\x1b]110\x1b\\", "\x1b]111\x1b\\", "\x1b]112\x1b\\"})
    EXPECT_TRUE(undone.contains(other)) << other;
}

TEST(TrackedModes, WhoHasTheKeyboardGetsItsModes) {
  TrackedModes modes = after("\x1b[?25l\x1b[?1049h\x1b[?1003;1006;2004h\x1b[>1u\x1b=\x1b[>4;1m");
  EXPECT_EQ(sequences_to_leave(modes, Part::screen), "\x1b[?25h\x1b[?1049l");
  EXPECT_EQ(sequences_to_enter(modes, Part::screen), "\x1b[?1049h\x1b[?25l");
  EXPECT_EQ(sequences_to_enter(modes, Part::keyboard),
            "\x1b[>1u\x1b[?1003h\x1b[?1006h\x1b[?2004h\x1b[?1003h\x1b[?1006h\x1b=\x1b[>4;1m");
  EXPECT_TRUE(modes.makes_reports());
  EXPECT_FALSE(after("\x1b[?1006;2004h\x1b[>5u\x1b[?1003h\x1b[?1003l").makes_reports());
  EXPECT_TRUE(after("\x1b[>2u").makes_reports());
}

TEST(TrackedModes, MarginsEndWithoutMovingTheCursor) {
  EXPECT_EQ(leave("\x1b[2;10r"),
            "\x1b"
            "7\x1b[r\x1b"
            "8");
  EXPECT_EQ(leave("\x1b[2;10r\x1b[r"), "");
  EXPECT_EQ(leave("\x1b[?69h\x1b[2;10s"),
            "\x1b"
            "7\x1b[?69l\x1b"
            "8");
  EXPECT_EQ(leave("\x1b[2;10r\x1b[?6h"), "\x1b[?6l\x1b[r\x1b[9999;1H");
}

TEST(TrackedModes, RestoringTheCursorBringsItsDrawingBack) {
  EXPECT_EQ(leave("\x1b[1m\x1b"
                  "7\x1b[m\x1b"
                  "8"),
            "\x1b[10m\x1b[m");
  EXPECT_EQ(leave("\x1b"
                  "7\x1b[1m\x1b(0\x1b[?6h\x1b"
                  "8"),
            "\x1b(B");
  EXPECT_EQ(leave("\x1b[s\x1b[1m\x1b[u"), "");
  EXPECT_EQ(leave("\x1b[?6h\x1b[?1049h\x1b[?6l"), "\x1b[?1049l\x1b[?6l\x1b[9999;1H");
  EXPECT_EQ(leave("\x1b[1m\x1b[?1049h\x1b[m"), "\x1b[?1049l\x1b[10m\x1b[m");
}

TEST(TrackedModes, EachScreenHasItsKeyboard) {
  EXPECT_EQ(leave("\x1b[>1u\x1b[>5u"), "\x1b[<2u");
  EXPECT_EQ(leave("\x1b[=5u"), "\x1b[=0;1u");
  EXPECT_EQ(leave("\x1b[=5;1u\x1b[=5;3u"), "");
  EXPECT_EQ(leave("\x1b[>1u\x1b[?1049h\x1b[>3u"), "\x1b[<1u\x1b[?1049l\x1b[<1u");
  EXPECT_EQ(leave("\x1b[?1049h\x1b[>3u\x1b[?1049l"), "\x1b[?47h\x1b[<1u\x1b[?47l");
  EXPECT_EQ(enter("\x1b[>1u\x1b[?1049h\x1b[>3u\x1b[=8;2u"), "\x1b[>1u\x1b[?1049h\x1b[>11u");
  std::string many;
  for (int i = 0; i < 12; i++)
    many += "\x1b[>1u";
  EXPECT_EQ(leave(many), "\x1b[<8u\x1b[=0;1u");
}

constexpr std::string_view kHardReset =
    "\x1b"
    "c";
constexpr std::string_view kSoftReset = "\x1b[!p";

// tmux stays on the alternate screen at a hard reset, and does not know the soft one.
TEST(TrackedModes, WhatAResetMayNotHaveResetIsUndone) {
  for (std::string_view reset : {kHardReset, kSoftReset}) {
    std::string after_reset = leave(
        "\x1b[?25l\x1b[?1;5;7;1003;1006;2004h\x1b=\x1b[1m\x1b(0\x1b)0\x0e\x1b[2;3r\x1b[>1u\x1b[4h"
        "\x1b[>4;2m\x1b[4 q\x1b]8;;https://a\a\x1b[?69h\x1b[?6h" +
        std::string(reset));
    for (std::string_view off :
         {"\x1b[?25h", "\x1b[?1l", "\x1b[?5l", "\x1b[?1003l", "\x1b[?1006l", "\x1b[?2004l", "\x1b>",
          "\x1b[m", "\x1b(B", "\x1b)B", "\x0f", "\x1b[r", "\x1b[4l", "\x1b[>4m", "\x1b[0 q",
          "\x1b]8;;\x1b\\", "\x1b[?69l", "\x1b[?6l"})
      EXPECT_NE(after_reset.find(off), std::string::npos) << off.substr(1) << " after " << reset;
    EXPECT_NE(after_reset.find(reset == kHardReset ? "\x1b[<8u" : "\x1b[<1u"), std::string::npos);
  }
  EXPECT_EQ(leave("\x1b[?1049h" + std::string(kSoftReset)), "\x1b[?1049l");
  EXPECT_EQ(leave("\x1b[?1049h" + std::string(kHardReset)), "\x1b[?1047l\x1b[9999;1H");
}

TEST(TrackedModes, WhatAResetMayNotHaveResetIsNotBroughtToAFreshTerminal) {
  EXPECT_EQ(enter("\x1b[?1049h\x1b[?1003h\x1b[>1u\x1b=" + std::string(kHardReset)), "");
  EXPECT_EQ(enter("\x1b[?1h\x1b=\x1b[?7l" + std::string(kSoftReset)), "");
}

TEST(TrackedModes, WhatIsSwitchedOffByNameAfterAResetIsOff) {
  EXPECT_EQ(leave("\x1b[?1049h\x1b[?1003h\x1b=\x1b[1m\x1b(0\x1b[2;3r\x1b[>4;2m\x1b[4 q" +
                  std::string(kHardReset) +
                  "\x1b[?1049l\x1b[?1003l\x1b>\x1b[m\x1b(B\x1b[r\x1b[>4m\x1b[0 q"),
            "");
  EXPECT_EQ(leave(std::string(kHardReset) + std::string(kSoftReset)), "");
}

TEST(TrackedModes, AFreshTerminalIsBroughtIntoThem) {
  EXPECT_EQ(enter("\x1b[?1049h\x1b[?25l"), "\x1b[?1049h\x1b[?25l");
  EXPECT_EQ(enter("\x1b[?1003h\x1b[?1000h\x1b[?2004h"),
            "\x1b[?1000h\x1b[?1003h\x1b[?2004h\x1b[?1000h");
  EXPECT_EQ(enter("\x1b[?2026h"), "");
  EXPECT_EQ(enter("\x1b=\x1b[>4;2m\x1b[3 q\x1b]4;1;#fff\a\x1b]10;red\a"),
            "\x1b]4;1;#fff\x1b\\\x1b]10;red\x1b\\\x1b=\x1b[>4;2m\x1b[3 q");
}

TEST(TrackedModes, WhatIsSentToEnterIsUndoneByWhatIsSentToLeave) {
  for (const ModeRule& rule : mode_rules()) {
    if (rule.rule.verdict != Verdict::pass) continue;
    std::string on = std::string("\x1b[") + (rule.marker != 0 ? "?" : "") +
                     std::to_string(rule.number) + (rule.normally_on ? "l" : "h");
    EXPECT_EQ(leave(enter(on) + leave(on)), "") << on;
  }
}

TEST(TrackedModes, HasABitForEachMode) { EXPECT_LE(mode_rules().size(), 128U); }

}  // namespace
}  // namespace ringwall::terminal
