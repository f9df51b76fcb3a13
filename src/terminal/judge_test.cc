// Deny tests with their allow twins: what the sequences of the table come to, through the filter.
#include "terminal/judge.h"

#include <gtest/gtest.h>

#include "terminal/filter.h"

namespace ringwall::terminal {
namespace {

std::string filtered(std::string_view bytes, FilterOptions options = {}) {
  Filter filter(options);
  return std::string(filter.pass(bytes));
}

void expect_passes(std::string_view bytes) { EXPECT_EQ(filtered(bytes), bytes); }
void expect_dropped(std::string_view bytes) {
  EXPECT_EQ(filtered(bytes), "") << testing::PrintToString(std::string(bytes));
}

TEST(Judge, PassesWhatFullScreenProgramsSend) {
  // vim, less, htop, tmux
  expect_passes("\x1b[?1049h\x1b[22;0;0t\x1b[>4;2m\x1b[?1h\x1b=\x1b[?2004h\x1b[?1004h\x1b[1;24r");
  expect_passes("\x1b[27m\x1b[23m\x1b[29m\x1b[m\x1b[H\x1b[2J\x1b[?25l\x1b[2;1H\xe2\x96\xbd\x1b[6n");
  expect_passes(
      "\x1b[>c\x1b]10;?\a\x1b]11;?\a\x1b[?12$p\x1b[?4m\x1b[2 q\x1b]12;#ff0000\a\x1b]112\a");
  expect_passes(
      "\x1b[?1006;1000h\x1b(B\x1b)0\x1b[39;49m\x1b[J\x1b[K\x1b[4l\x1b[?7h\x1b[12X\x1b[5b");
  expect_passes("\x1b[?1002h\x1b[?1003l\x1b[?69h\x1b[2;40s\x1b[s\x1b[u\x1b[?2031h\x1b[16t\x1b[18t");
  expect_passes("\x1bM\x1b[1L\x1b[2M\x1b[3P\x1b[4@\x1b[2S\x1b[2T\x1b[9d\x1b[9G\x1b[3`\x1b[Z\x1b#8");
  // Claude Code, Codex, Gemini
  expect_passes("\x1b[?2026h\x1b[2K\x1b[1A\x1b[G\x1b[3J\x1b[?2026l\x1b[>1u\x1b[<u\x1b[>7u\x1b[<1u");
  expect_passes("\x1b[?u\x1b[c\x1b[>0q\x1b]0;\xe2\x9c\xb3 Claude Code\a\x1b]11;?\x1b\\\x1b[?1007h");
  expect_passes(
      "\x1b]9;4;3;\a\x1b]9;4;0;\a\x1b]777;notify;Claude Code;waits\a\x1b]9;Codex waits\a");
  expect_passes("\x1b]99;i=7:d=0:p=title;Claude Code\x1b\\\x1b]99;i=7:d=1:a=focus;\x1b\\");
  expect_passes("\x1b]8;id=x1;https://example.org/a;b?c#d\x1b\\link\x1b]8;;\x1b\\");
  // The Linux console, shells
  expect_passes("\x1b[?25h\x1b[?0c\x1b[?8c\x1b]133;A\a\x1b]133;D;130\a\x1b]133;A;aid=12;k=s\a");
  expect_passes(
      "\x1b[!p\x1b[4l\x1b>\x1b"
      "7\x1b"
      "8\x1b"
      "c");
}

TEST(Judge, DropsAnswersThatOthersChoose) {
  expect_dropped("\x1b[20t\x1b[21t\x1b[19t\x1b[11t\x1b[13t\x1b[15t");
  expect_dropped(
      "\x1bP$qm\x1b\\\x1bP+q544e\x1b\\\x1b[1;1;1;1;24;80*y\x1b[2$w\x1b[1$u\x1b[x\x1b[=c");
  expect_dropped(
      "\x1b]50;?\a\x1b]52;c;?\a\x1bZ\x05\x1b[?15n\x1b[?26n\x1b[?62n\x1b[?1;1;0S\x1b[1#|");
  expect_dropped("\x1b]21;foreground=?\x1b\\\x1b]60\x1b\\\x1b]13;?\a\x1b]17;?\a\x1b]5;0;?\a");
}

TEST(Judge, DropsActsOutsideTheScreen) {
  expect_dropped("\x1b[5i\x1b[4i\x1b[i\x1b[?1i\x1b[?5i\x1b#7");
  expect_dropped(
      "\x1b[1t\x1b[2t\x1b[3;0;0t\x1b[4;1;1t\x1b[8;50;100t\x1b[9;1t\x1b[10;1t\x1b[24t\x1b[t");
  expect_dropped("\x1b[?3h\x1b[?40h\x1b[?46h\x1b[?38h\x1b[?2l\x1b[2h\x1b[12l\x1b[3h\x1b[?1001h");
  expect_dropped("\x1b]7;file:///\a\x1b]3;a=b\a\x1b]22;wait\a\x1b]46;/tmp/x\a\x1b]51;[\"call\"]\a");
  expect_dropped("\x1b]633;E;rm\a\x1b]1337;File=:AAAA\a\x1b]1337;CopyToClipboard=\a\x1b]4242;x\a");
  expect_dropped(
      "\x1b[12;3]\x1b[1;2;3;4;5T\x1b[62\"p\x1b[2*z\x1b[1q\x1b[>2p\x1b[>2t\x1b[?25s\x1b[?25r");
  expect_dropped(
      "\x1b%@\x1b%G\x1b F\x1b G\x1bN\x1bO\x1bn\x1b~\x1b\\\x1b"
      "l\x1bV");
}

TEST(Judge, DropsWhatTerminalsCouldReadDifferently) {
  expect_dropped("\x1b[1<2m\x1b[?1?h\x1b[1 2q\x1b[  q\x1b[1:2H\x1b[123456H\x1b[65536H");
  expect_dropped("\x1b[70000m\x1b[123456m\x1b[1;70000m");
  expect_dropped("\x1b[" + std::string(32, ';') + "m");
  expect_passes("\x1b[" + std::string(31, ';') + "m");
  expect_passes("\x1b[65535H\x1b[4:3m\x1b[38:2::1:2:3m\x1b[38:5:9m");
  expect_dropped("\x1b];x\a\x1b]02;x\a\x1b]x;y\a\x1b]2\a\x1b]123456;x\a\x1b]L;x\a");
}

TEST(Judge, TakesModesOutOfLists) {
  EXPECT_EQ(filtered("\x1b[?25;2004;3h"), "\x1b[?25;2004h");
  EXPECT_EQ(filtered("\x1b[?3;40;46h"), "");
  EXPECT_EQ(filtered("\x1b[4;12l"), "\x1b[4l");
  EXPECT_EQ(filtered("\x1b[?4h"), "");  // 4 is allowed without the mark only
  EXPECT_EQ(filtered("\x1b[?;25h"), "\x1b[?25h");
}

TEST(Judge, CleansTitlesAndMessages) {
  EXPECT_EQ(filtered("\x1b]2;a\x01\tb\xe2\x80\xae"
                     "c\xff\x1b\\"),
            "\x1b]2;a bc\xef\xbf\xbd\x1b\\");
  std::string longest = "\x1b]0;" + std::string(512, 'x') + "\a";
  expect_passes(longest);
  EXPECT_EQ(filtered("\x1b]0;" + std::string(600, 'x') + "\a"), longest);
  EXPECT_EQ(filtered("\x1b]0;" + std::string(511, 'x') + "\xc3\xa9\a"),
            "\x1b]0;" + std::string(511, 'x') + "\a");
  EXPECT_EQ(filtered("\x1b]9;\n\nClaude Code:\nwaits\a"), "\x1b]9;Claude Code: waits\a");
  expect_passes("\x1b]9;3 tests failed\a");
  expect_dropped(
      "\x1b]9;\a\x1b]9;6;\"calc\"\a\x1b]9;7;cmd\a\x1b]9;4\a\x1b]9;4;9;1\a\x1b]9;4;1;101\a");
  expect_dropped(
      "\x1b]9;\x01"
      "6;calc\a\x1b]9;\x7f"
      "7;cmd\a\x1b]9; \x01"
      "9;/\a\x1b]9;\xe2\x80\xae"
      "6;x\a");
  expect_dropped(
      "\x1b]777;run;x\a\x1b]777;notify\a\x1b]99;i=1:p=?;\a\x1b]99;e=1;YQ==\a\x1b]99;x\a");
  expect_dropped("\x1b]133;C;cmdline=rm\a\x1b]133;A;click_events=1\a\x1b]133;Z\a\x1b]133;AA\a");
}

TEST(Judge, OutsideUtf8TitlesAreAscii) {
  EXPECT_EQ(filtered("\x1b]0;gr\xfc\xdf\xb0\a", {.utf8 = false}), "\x1b]0;gr\a");
}

TEST(Judge, ChecksColours) {
  expect_passes(
      "\x1b]4;1;#aabbcc;255;rgb:ff/00/ff\a\x1b]10;dark slate gray\a\x1b]11;rgba:1/2/3/4\a");
  expect_passes("\x1b]10;?;?;?\a\x1b]104;1;2\a\x1b]104\a\x1b]110\a\x1b]111\x1b\\");
  EXPECT_EQ(filtered("\x1b]112;\a"), "\x1b]112\a");
  expect_dropped("\x1b]4;256;#fff\a\x1b]4;1\a\x1b]4;1;#ff\a\x1b]4;1;?;\a\x1b]4;x;?\a\x1b]4;01;?\a");
  expect_dropped(
      "\x1b]10;?;?;?;?\a\x1b]12;?;?\a\x1b]10;rgb:1/2\a\x1b]10;rgb:1/2/3/\a\x1b]10;a\nb\a");
  expect_dropped("\x1b]104;1;x\a\x1b]110;x\a");
}

TEST(Judge, LinksLeadToTheWebOnly) {
  expect_passes("\x1b]8;;http://a\a\x1b]8;;HTTPS://a\a\x1b]8;;\a");
  expect_dropped(
      "\x1b]8;;file:///etc/passwd\a\x1b]8;;ssh://a\a\x1b]8;;https://\a\x1b]8;;https:a\a");
  expect_dropped(
      "\x1b]8;;https://a b\a\x1b]8;;https://\xc3\xa9\a\x1b]8;i d;https://a\a\x1b]8\a\x1b]8;x\a");
  // The text of a link that is dropped does not belong to the one before.
  EXPECT_EQ(filtered("\x1b]8;;https://a\ax\x1b]8;;file:///\ay"), "\x1b]8;;https://a\ax\x1b]8;;\ay");
  EXPECT_EQ(filtered("\x1b]8;;https://a\ax\x1b]8;;https://" + std::string(5000, 'y') + "\ay"),
            "\x1b]8;;https://a\ax\x1b]8;;\x1b\\y");
}

TEST(Judge, TheClipboardIsNeverReadAndWrittenOnlyWhenGranted) {
  std::string written = "\x1b]52;c;" + std::string(8000, 'A') + "\a";
  expect_dropped(written);
  expect_dropped("\x1b]52;c;aGk=\x1b\\\x1b]52;;\a");
  FilterOptions granted{.clipboard_write = true};
  EXPECT_EQ(filtered(written, granted), written);
  EXPECT_EQ(filtered("\x1b]52;c;aGk=\x1b\\\x1b]52;;\a", granted),
            "\x1b]52;c;aGk=\x1b\\\x1b]52;;\a");
  for (std::string_view bad :
       {"\x1b]52;c;?\a", "\x1b]52;?\a", "\x1b]52;c;a?\a", "\x1b]52;c;!\a", "\x1b]52;x;aGk=\a",
        "\x1b]52;c;aGk=\n?\a", "\x1b]52\a", "\x1b]052;c;aGk=\a"}) {
    EXPECT_EQ(filtered(bad, granted), "") << testing::PrintToString(std::string(bad));
  }
  EXPECT_EQ(filtered("\x1b]52;c;" + std::string(kLongestClipboard, 'A') + "\a.", granted), ".");
}

}  // namespace
}  // namespace ringwall::terminal
