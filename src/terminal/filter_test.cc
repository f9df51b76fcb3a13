#include "terminal/filter.h"

#include <gtest/gtest.h>

#include <vector>

namespace ringwall::terminal {
namespace {

using namespace std::string_literals;

std::string filtered(std::string_view bytes, FilterOptions options = {}) {
  Filter filter(options);
  return std::string(filter.pass(bytes));
}

// What comes out when `bytes` come in pieces that end at each of `ends` and at the end.
struct Outcome {
  std::string out;
  uint64_t queries, dropped;
  bool at_rest;
  std::string leave;
  bool operator==(const Outcome&) const = default;
};

Outcome split(std::string_view bytes, const std::vector<size_t>& ends, FilterOptions options) {
  Filter filter(options);
  std::string out;
  size_t at = 0;
  for (size_t end : ends) {
    // Each piece has memory of its own, so that a look beyond its end is seen by a sanitizer.
    std::string piece(bytes.substr(at, end - at));
    out += filter.pass(piece);
    at = end;
  }
  std::string piece(bytes.substr(at));
  out += filter.pass(piece);
  return {out, filter.queries(), filter.dropped(), filter.at_rest(),
          sequences_to_leave(filter.modes())};
}

const std::vector<std::string>& corpus() {
  static const std::vector<std::string> all = {
      "plain text\r\nand\ttabs\b\a more",
      "gr\xc3\xbc\xc3\x9f dich \xe2\x9c\x93 \xf0\x9f\x8e\x89 \xe4\xb8\xad\xe6\x96\x87",
      "\xc3(\xe2\x82\x41\xf0\x9f\x98\x1b["
      "1m\xff\xfe\xc0\x9b\x80\x9b\xe0\x9f\x9b\xed\xa0\x80\xf4\x90x",
      "\xc2\x9b"
      "31m\xc2\x9d"
      "52;c;aGk=\a\xc2\x90q\xc2\x9c\x9b"
      "2J",
      "\x1b[1;31mred\x1b[0m \x1b[38:2::1:2:3mx\x1b[38;2;1;2;3m\x1b[m",
      "\x1b[?1049h\x1b[22;0;0t\x1b[>4;2m\x1b[?1h\x1b=\x1b[?2004h\x1b[?1004h\x1b[1;24r\x1b[?12h\x1b["
      "?12l",
      "\x1b[6n\x1bPzz\x1b\\\x1b[0%m\x1b[6n\x1b[>c\x1b]10;?\a\x1b]11;?\x1b\\\x1bP$q q\x1b\\",
      "\x1b[?1006;1000h\x1b[?25;2004;3h\x1b[?3;40h\x1b[4;12h\x1b[?1006;1000l",
      "\x1b]0;a title \xe2\x9c\xb3\a\x1b]2;with \x01\x02\xe2\x80\xae "
      "bad\nparts\xff\x1b\\\x1b]1;\x9c\a",
      "\x1b]8;id=1;https://a.example/?q;r\x1b\\text\x1b]8;;file:///etc/passwd\x1b\\x\x1b]8;;\x1b\\",
      "\x1b]52;c;?\a\x1b]52;c;aGk=\a\x1b]52;;\x1b\\\x1b]52;c;!!\a",
      "\x1b]9;done\a\x1b]9;6;calc\a\x1b]9;\x01"
      "6;calc\a\x1b]9;4;1;50\a\x1b]9;4;0;\a\x1b]777;notify;a;b\x1b\\",
      "\x1b]99;i=1:d=0:p=title;Hi\x1b\\\x1b]99;i=1:a=report;x\x1b\\\x1b]133;A\x1b\\\x1b]133;D;0\a",
      "\x1b]4;1;#fff;2;?\a\x1b]104;1\a\x1b]104\a\x1b]112;\a\x1b]10;red;?\a\x1b]10;a;b;c;d\a",
      "\x1bP1;2|abc\x1b]0;inner\a\x1b\\\x1b_Gf=100;AAAA\x1b\\\x1bXsos\x1b\\\x1b^"
      "pm\x1b\\\x1bktitle\x1b\\end",
      "\x1bPtmux;\x1b\x1b]52;c;aGk=\a\x1b\\\x1b\\after",
      "\x1b[31\x18mtext\x1b[3\x1a"
      "1m\x1b[3\x1b[32mgreen\x1b[3\n1mx\x1b[\x7f"
      "4m\x1b(\r0lqk\x1b(B\x1b\x1b[m",
      "\x1b]0;cut\x18rest\x1b]0;cut\x1b[1mbold\x1b]0;c\xc2\x9cst\x1bPq\x1a#1\x1b\x1b\\",
      "\x1b]P1ff00ffred\x1b]Rreset\x1b]Pzz\x1b]P12\x1b[m\x1b]lname\x1b\\",
      "\x1b[20t\x1b[21t\x1b[14t\x1b[8;50;100t\x1b[5i\x1b[?5i\x1b[i\x1b[1;1;1;1;1;1*y\x1b[c\x1b[="
      "c\x1b[0x",
      "\x1b[>1u\x1b[<u\x1b[=5;1u\x1b[?u\x1b[>4m\x1b[?996n\x1b[?15n\x1b[?2026$p\x1b[4$p\x1b[>0q\x1b["
      "2 q",
      "\x1b[1;2;3;4;5T\x1b[2T\x1b[99999999A\x1b[70000A\x1b[1:2A\x1b[1<2m\x1b[1$2p\x1b[ "
      "$p\x1b[!p\x1b"
      "c",
      "\x1b%@\x1b%G\x1b F\x1b G\x1bZ\x1bN\x1bO\x1bn\x1b#8\x1b#7\x1bH\x1b[3g\x1b"
      "7\x1b"
      "8\x05\x11\x13" +
          "\0"s,
      "\x1b[" + std::string(300, '1') + "mlong\x1b(" + std::string(300, ' ') + "Bx",
      "\x1b[" + std::string(400, ';') + "\n" + std::string(300, ';') + "Hlong",
      "\x1b]0;" + std::string(5000, 'x') + "\alate\x1b]8;;https://a/\a\x1b]8;;" +
          std::string(5000, 'y') + "\x1b\\z",
      "\x1b]52;c;" + std::string(5000, 'A') + "\alate",
      "text\xe2\x9c",
      "\x1b[70000m\x1b[123456m\x1b[00031m\x1b[1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16m",
      "text\x1b[38;5",
      "text\x1b]0;half\x1b",
  };
  return all;
}

TEST(Filter, GivesTheSameHoweverItIsSplit) {
  for (FilterOptions options : {FilterOptions{true, false}, {true, true}, {false, false}}) {
    for (const std::string& bytes : corpus()) {
      Outcome whole = split(bytes, {}, options);
      std::vector<size_t> everywhere;
      for (size_t i = 1; i < bytes.size(); i++) {
        everywhere.push_back(i);
        EXPECT_EQ(split(bytes, {i}, options), whole) << "at " << i << " of " << bytes;
        if (i + 3 < bytes.size() && bytes.size() < 400) {
          EXPECT_EQ(split(bytes, {i, i + 2}, options), whole) << "at " << i << " of " << bytes;
        }
      }
      EXPECT_EQ(split(bytes, everywhere, options), whole) << bytes;
    }
  }
}

TEST(Filter, HasNothingLeftToDropInItsOwnOutput) {
  for (FilterOptions options : {FilterOptions{true, false}, {true, true}, {false, false}}) {
    for (const std::string& bytes : corpus()) {
      std::string once = filtered(bytes, options);
      Filter again(options);
      EXPECT_EQ(again.pass(once), once);
      EXPECT_EQ(again.dropped(), 0U) << once;
      EXPECT_TRUE(again.at_rest()) << once;
    }
  }
}

TEST(Filter, GivesTheInputItselfWhereNothingChanges) {
  std::string bytes = "log line\r\n\x1b[1;32mok\x1b[0m gr\xc3\xbcn\x1b(B\x1b]0;t\a\x1b[?25h\n";
  Filter filter({});
  std::string_view out = filter.pass(bytes);
  EXPECT_EQ(out.data(), bytes.data());
  EXPECT_EQ(out.size(), bytes.size());
  std::string cut = "text\xe2\x82";
  EXPECT_EQ(filter.pass(cut).data(), cut.data());
  EXPECT_FALSE(filter.at_rest());
  EXPECT_EQ(filter.pass("\xac."), "\xe2\x82\xac.");
  EXPECT_TRUE(filter.at_rest());
}

TEST(Filter, LetsTextPassAndShowsBrokenBytesAsSuch) {
  EXPECT_EQ(filtered("a\r\n\tb\b\a\v\f"), "a\r\n\tb\b\a\v\f");
  EXPECT_EQ(filtered("\0\x05\x11\x13\x7f!"s), "!");
  EXPECT_EQ(filtered("\xe2\x82\xac \xf0\x9f\x8e\x89"), "\xe2\x82\xac \xf0\x9f\x8e\x89");
  EXPECT_EQ(filtered("\xe2\x82z"), "\xef\xbf\xbdz");
  EXPECT_EQ(filtered("\xff"), "\xef\xbf\xbd");
}

TEST(Filter, TreatsEveryByteAlikeInBlocksAndAlone) {
  for (int byte = 0; byte < 256; byte++) {
    for (bool utf8 : {true, false}) {
      auto c = static_cast<char>(byte);
      if (c == '\x1b' || (utf8 && byte >= 0xc2 && byte < 0xf5)) continue;  // these wait for more
      std::string around(20, 'a');
      EXPECT_EQ(filtered(around + c + around, {.utf8 = utf8}),
                around + filtered({&c, 1}, {.utf8 = utf8}) + around);
    }
  }
}

// Blocks are read at once, and a sequence can lie anywhere in them.
TEST(Filter, ReadsColoursAlikeWhereverTheyStand) {
  for (const char* sequence : {"\x1b[m", "\x1b[0m", "\x1b[1m", "\x1b[38;2;100;200;255m",
                               "\x1b[12345m", "\x1b[1;1Hx\x1b[4m", "\x1b[31m\x1b[0m",
                               "\x1b[1m\xc3\xbc\x1b[m", "\x1b[5\x1b[7m", "\x1b[3"}) {
    for (size_t before = 0; before < 140; before++) {
      for (size_t after : {0, 1, 70}) {
        std::string bytes = std::string(before, 'x') + sequence + std::string(after, 'y');
        std::vector<size_t> everywhere;
        for (size_t i = 1; i < bytes.size(); i++)
          everywhere.push_back(i);
        Outcome whole = split(bytes, {}, {});
        EXPECT_EQ(split(bytes, everywhere, {}), whole) << bytes;
        EXPECT_EQ(split(bytes, {bytes.size() / 2}, {}), whole) << bytes;
      }
    }
  }
}

TEST(Filter, LetsNoC1ControlPass) {
  EXPECT_EQ(filtered("\xc2\x9b"
                     "31m"),
            "31m");
  EXPECT_EQ(filtered("\x9b"
                     "31m"),
            "\xef\xbf\xbd"
            "31m");
  EXPECT_EQ(filtered("\xe2\x9b"
                     "31m"),
            "\xef\xbf\xbd"
            "31m");
  EXPECT_EQ(filtered("\xe2\x9b\x94"), "\xe2\x9b\x94");  // U+26D4 holds such a byte
  EXPECT_EQ(filtered("\x1b]0;a\xc2\x9c."), ".");
  EXPECT_EQ(filtered("\x1bPa\xc2\x9c."), ".");
  EXPECT_EQ(filtered("\xe0\x82\x9b"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(filtered("\xc1\x9b"), "\xef\xbf\xbd\xef\xbf\xbd");
  FilterOptions latin{.utf8 = false};
  EXPECT_EQ(filtered("gr\xfc\xdf\x9b"
                     "31m\xc2\x9b.",
                     latin),
            "gr\xfc\xdf"
            "31m\xc2.");
  EXPECT_EQ(filtered("\x1b]0;a\x9c"
                     "b\a",
                     latin),
            "b\a");
}

TEST(Filter, BrokenCharactersHideNoSequence) {
  EXPECT_EQ(filtered("\xe2\x1b]52;c;aGk=\a."), "\xef\xbf\xbd.");
  EXPECT_EQ(filtered("\xf0\x9f\x1b[5i."), "\xef\xbf\xbd.");
  EXPECT_EQ(filtered("\x1b\xe2\x82\xac[5i"), "\xe2\x82\xac[5i");
  EXPECT_EQ(filtered("\x1b[\xc3\xa9"
                     "5i"),
            "\xc3\xa9"
            "5i");
}

TEST(Filter, HandlesInterruptionsAsTerminalsDo) {
  EXPECT_EQ(filtered("\x1b[31\x18m"), "m");
  EXPECT_EQ(filtered("\x1b[3\n1mx"), "\n\x1b[31mx");
  EXPECT_EQ(filtered("\x1b[3\x1b[32mx"), "\x1b[32mx");
  EXPECT_EQ(filtered("\x1b]0;t\x1b[1mx"), "\x1b[1mx");
  EXPECT_EQ(filtered("\x1bPq\x1b]52;c;aGk=\a\x1b\\x"), "x");
  EXPECT_EQ(filtered("\x1bPtmux;\x1b\x1b]52;c;aGk=\a\x1b\\x"), "x");
  EXPECT_EQ(filtered("\x1bP\aq\x9c still inside\x1b\\x"), "x");
}

TEST(Filter, DropsStringsToTheirEnd) {
  std::string picture = "\x1bPq" + std::string(1 << 20, '#') + "\x1b\\";
  Filter filter({});
  EXPECT_EQ(filter.pass(std::string_view(picture).substr(0, 900000)), "");
  EXPECT_EQ(filter.held(), 0U);
  EXPECT_FALSE(filter.at_rest());
  EXPECT_EQ(filter.pass(std::string_view(picture).substr(900000)), "");
  EXPECT_TRUE(filter.at_rest());
  EXPECT_EQ(filtered("\x1b_Gf=100;AAAA\x1b\\\x1bXs\x1b\\\x1b^p\x1b\\\x1bkt\x1b\\end"), "end");
}

TEST(Filter, HoldsBackABoundedAmount) {
  for (std::string_view opening : {"\x1b]0;", "\x1b]52;c;", "\x1b[", "\x1b ", "\x1bP"}) {
    Filter filter({.clipboard_write = true});
    (void)filter.pass(opening);
    std::string piece(1000, opening == "\x1b " ? ' ' : '1');
    for (int i = 0; i < 2000; i++) {
      (void)filter.pass(piece);
      ASSERT_LE(filter.held(), kLongestClipboard);
    }
    EXPECT_LE(filter.held(), 16U);
    EXPECT_EQ(filter.pass("\x18ok"), "ok");
  }
}

TEST(Filter, DoesNotSwallowOutputAfterConsolePaletteCommands) {
  EXPECT_EQ(filtered("\x1b]P1ff00ffred\x1b]Rreset"), "redreset");
  EXPECT_EQ(filtered("\x1b]P12\x1b[mx"), "\x1b[mx");
}

TEST(Filter, CountsQueriesAndDrops) {
  Filter filter({});
  (void)filter.pass("\x1b[c\x1b[>c\x1b[6n\x1b[?996n\x1b[?2026$p\x1b[>q\x1b[?u\x1b[14t\x1b]11;?\a");
  EXPECT_EQ(filter.queries(), 9U);
  (void)filter.pass("\x1b]4;1;?;2;?;3;#fff\a");
  EXPECT_EQ(filter.queries(), 11U);
  EXPECT_EQ(filter.dropped(), 0U);
  (void)filter.pass("\x1b[21t\x1b]52;c;?\a\x1bP$qm\x1b\\\x1b[?25;3h\x05");
  EXPECT_EQ(filter.queries(), 11U);
  EXPECT_EQ(filter.dropped(), 5U);
}

TEST(Filter, CountsSwitchesThatLetTheTerminalSpeak) {
  for (std::string_view speaks : {"\x1b[?2048h", "\x1b[?2048l", "\x1b[?1003;1006h", "\x1b[?9l",
                                  "\x1b[?1004;3h", "\x1b[?2031h", "\x1b[>2u", "\x1b[=31u"}) {
    Filter filter({});
    (void)filter.pass(speaks);
    EXPECT_EQ(filter.queries(), 1U) << speaks;
  }
  for (std::string_view quiet : {"\x1b[?2004h", "\x1b[?1006h", "\x1b[?25l", "\x1b[>1u", "\x1b="}) {
    Filter filter({});
    (void)filter.pass(quiet);
    EXPECT_EQ(filter.queries(), 0U) << quiet;
  }
}

TEST(Filter, WithoutTheKeyboardNothingChangesIt) {
  Filter filter({});
  filter.have_keyboard(false);
  EXPECT_EQ(filter.pass("a\x1b[?2004l\x1b[?1003;25;1006h\x1b[>1u\x1b[=1u\x1b[<u\x1b[>4;2m\x1b[>4n"),
            "a\x1b[?25h");
  EXPECT_EQ(filter.pass("b\x1b=\x1b>\x1b"
                        "c\x1b[!p\x1b[?1;66;1004;1007;1034;2031;2048hc"),
            "bc");
  EXPECT_EQ(filter.pass("\x1b[1m\x1b[?1049h\x1b[?2026h"), "\x1b[1m\x1b[?1049h\x1b[?2026h");
  EXPECT_EQ(filter.queries(), 0U);
}

TEST(Filter, QuestionsDoNotPassWhileNobodyListens) {
  Filter filter({});
  filter.have_keyboard(false);
  EXPECT_EQ(filter.pass("a\x1b[6nb\x1b[cc\x1b]11;?\ad\x1b[31m\x1b[5"), "abcd\x1b[31m");
  EXPECT_EQ(filter.pass("ne"), "e");
  EXPECT_EQ(filter.queries(), 0U);
  filter.have_keyboard(true);
  EXPECT_EQ(filter.pass("\x1b[6n"), "\x1b[6n");
}

}  // namespace
}  // namespace ringwall::terminal
