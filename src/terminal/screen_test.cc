#include "terminal/screen.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace ringwall::terminal {
namespace {

const std::string kPrepare =
    "\x1b[?7l\x1b[?6l\x1b[?69l\x1b[r\x1b[4l\x1b(B\x1b)B\x0f\x1b[m\x1b[H\x1b[2J";

// What is painted between the beginning, which is always the same, and wrapping that goes on again.
std::string painted(const Screen& screen) {
  std::string all = screen.paint();
  EXPECT_TRUE(all.starts_with(kPrepare));
  all.erase(0, kPrepare.size());
  size_t wrap = all.rfind("\x1b[?7h");
  if (wrap != all.npos) all.erase(wrap, 5);
  return all;
}

std::string painted(std::string_view bytes, Size size = {4, 10}) {
  Screen screen(size);
  screen.feed(bytes);
  return painted(screen);
}

struct Case {
  const char* what;
  std::string bytes;
  std::string picture;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> list = {
      {"nothing", "", "\x1b[1;1H"},
      {"text", "ab\r\ncd", "ab\x1b[2;1Hcd\x1b[2;3H"},
      {"a gap", "a\x1b[7Gb", "a\x1b[7Gb\x1b[1;8H"},
      {"a plain blank is none", "a b", "a\x1b[3Gb\x1b[1;4H"},
      {"attributes", "\x1b[1;4;31ma\x1b[mb", "\x1b[1;4;31ma\x1b[mb\x1b[1;3H"},
      {"faint and hidden", "\x1b[2ma\x1b[8mb\x1b[22mc\x1b[28md",
       "\x1b[2ma\x1b[8mb\x1b[0;8mc\x1b[md\x1b[1;5H"},
      {"colours", "\x1b[38;5;200;48;2;1;2;3ma", "\x1b[38;5;200;48;2;1;2;3ma\x1b[1;2H"},
      {"seventeen numbers", "\x1b[1;3;4:3;5;7;9;38;2;1;2;3;48;2;4;5;6ma",
       "\x1b[1;3;5;7;9;4:3;38;2;1;2;3;48;2;4;5;6ma\x1b[1;2H"},
      {"erased in a colour", "\x1b[44;4m\x1b[1;9H\x1b[K\x1b[m", "\x1b[9G\x1b[44m  \x1b[1;9H\x1b[m"},
      {"wide", "\xe6\xbc\xa2z", "\xe6\xbc\xa2\x1b[3Gz\x1b[1;4H"},
      {"half of a wide one", "\xe6\xbc\xa2\x1b[2Gz", "\x1b[2Gz\x1b[1;3H"},
      {"an accent", "e\xcc\x81x", "e\xcc\x81\x1b[2Gx\x1b[1;3H"},
      {"a late accent", "e\x1b[m\x1b[1;5H\x1b[1;2H\xcc\x81", "e\xcc\x81\x1b[1;2H"},
      {"lines", "\xe2\x94\x80\xe2\x94\x80", "\xe2\x94\x80\xe2\x94\x80\x1b[1;3H"},
      {"letters as lines", "\x1b(0qq\x1b(Bq", "\xe2\x94\x80\xe2\x94\x80q\x1b[1;4H"},
      {"lines by shift out", "\x1b)0q\x0eq\x0fq", "q\xe2\x94\x80q\x1b[1;4H\x1b)0"},
      {"wrapping", "0123456789ab", "0123456789\x1b[2;1Hab\x1b[2;3H"},
      {"about to wrap", "\x1b[31m0123456789\x1b[m", "\x1b[31m0123456789\x1b[1;10H9\x1b[m"},
      {"no more", "\x1b[4;1H0123456789\nx", "\x1b[3;1H0123456789\x1b[4;10Hx\x1b[4;10Hx"},
      {"no wrapping", "\x1b[?7l0123456789ab", "012345678b\x1b[1;10H"},
      {"scrolling", "1\r\n2\r\n3\r\n4\r\n5", "2\x1b[2;1H3\x1b[3;1H4\x1b[4;1H5\x1b[4;2H"},
      {"margins", "1\r\n2\r\n3\r\n4\x1b[2;3r\x1b[3;1H\n5",
       "1\x1b[2;1H3\x1b[3;1H5\x1b[4;1H4\x1b[2;3r\x1b[3;2H"},
      {"origin", "\x1b[2;3r\x1b[?6h\x1b[2;2Hx", "\x1b[3;2Hx\x1b[2;3r\x1b[?6h\x1b[2;3H"},
      {"inserting", "abc\x1b[4h\x1b[1GX", "Xabc\x1b[1;2H\x1b[4h"},
      {"side margins", "\x1b[?69h\x1b[2;5s\x1b[1;1Hx", "x\x1b[?69h\x1b[2;5s\x1b[1;2H"},
      {"reversed screen", "\x1b[?5ha\x1b[7mb", "a\x1b[7mb\x1b[?5h\x1b[1;3H"},
      {"saved cursor",
       "\x1b[2;3H\x1b[31m\x1b"
       "7\x1b[m\x1b[4;4Hx",
       "\x1b[4;4Hx\x1b[31m\x1b[2;3H\x1b"
       "7\x1b[?6l\x1b(B\x1b)B\x0f\x1b[4;5H\x1b[m"},
      {"restored cursor", "\x1b[2;3H\x1b[31m\x1b[s\x1b[m\x1b[4;4H\x1b[ux",
       "\x1b[2;3H\x1b[31mx\x1b[2;3H\x1b"
       "7\x1b[?6l\x1b(B\x1b)B\x0f\x1b[2;4H"},
      {"several modes at once", "\x1b[?25;1049hin", "in\x1b[1;3H"},
      {"the other screen", "out\x1b[?1049h\x1b[Hin", "in\x1b[1;3H"},
      {"and back", "out\x1b[31m\x1b[?1049h\x1b[m\x1b[3;3Hin\x1b[?1049l",
       "out\x1b[31m\x1b[1;4H\x1b"
       "7\x1b[?6l\x1b(B\x1b)B\x0f\x1b[1;4H"},
      {"repeating", "a\x1b[3bz", "aaaaz\x1b[1;6H"},
      {"repeating too much", "a\x1b[9999b", "aaaaaaaaaa\x1b[2;1Ha\x1b[2;2H"},
      {"full reset",
       "\x1b[31;5r\x1b[?1049h\x1b[?5h\x1b[4h\x1b[31mx\x1b"
       "cy",
       "y\x1b[1;2H"},
      {"soft reset", "\x1b[2;3r\x1b[4h\x1b[31m\x1b[2;2Hx\x1b[!py",
       "\x1b[2;2H\x1b[31mx\x1b[my\x1b[2;4H"},
      {"strings are not shown", "a\x1b]0;title\x07\x1bPq123\x1b\\b", "ab\x1b[1;3H"},
      {"bytes that are no text", "\xff\xc3", "\xef\xbf\xbd\x1b[1;2H"},
  };
  return list;
}

TEST(Screen, PaintsWhatATerminalWouldShow) {
  for (const Case& c : cases())
    EXPECT_EQ(painted(c.bytes), c.picture) << c.what;
}

TEST(Screen, IsTheSameHoweverTheBytesAreCut) {
  for (const Case& c : cases()) {
    for (size_t cut = 0; cut <= c.bytes.size(); cut++) {
      Screen screen({4, 10});
      screen.feed(c.bytes.substr(0, cut));
      screen.feed(c.bytes.substr(cut));
      EXPECT_EQ(painted(screen), c.picture) << c.what << " cut at " << cut;
    }
  }
}

TEST(Screen, APictureShowsItself) {
  for (const Case& c : cases()) {
    Screen screen({4, 10});
    screen.feed(c.bytes);
    Screen other({4, 10});
    other.feed(screen.paint());
    EXPECT_EQ(other.paint(), screen.paint()) << c.what;
  }
}

TEST(Screen, TheLastCellDoesNotScroll) {
  Screen screen({2, 3});
  screen.feed("abcdef");
  EXPECT_EQ(painted(screen), "abc\x1b[2;1Hdef\x1b[2;3Hf");
  Screen other({2, 3});
  other.feed(screen.paint());
  EXPECT_EQ(painted(other), painted(screen));
}

TEST(Screen, AnswersQueriesOnceAndOnlyTheHarmless) {
  Screen screen({4, 10});
  screen.feed("\x1b[c\x1b[>c\x1b[5n\x1b[2;3H\x1b[6n\x1b[?6n\x1b[?7$p\x1b[?9$p");
  EXPECT_EQ(screen.take_answers(),
            "\x1b[?1;2c\x1b[>0;100;0c\x1b[0n\x1b[2;3R\x1b[?2;3R\x1b[?7;1$y\x1b[?9;0$y");
  EXPECT_EQ(screen.take_answers(), "");
  screen.feed(
      "\x1b]10;?\x07\x1b]52;c;?\x07\x1bP$qm\x1b\\\x1bP+q544e\x1b\\\x1b[=c\x1b[>q\x1b[21t\x05\x1bZ");
  EXPECT_EQ(screen.take_answers(), "");
}

TEST(Screen, AnswersThatNobodyTakesAreBounded) {
  Screen screen({4, 10});
  for (int i = 0; i < 100000; i++)
    screen.feed("\x1b[c");
  EXPECT_LE(screen.take_answers().size(), 4096U);
}

TEST(Screen, ResizesAndKeepsWhatFits) {
  Screen screen({4, 10});
  screen.feed("ab\r\ncd\x1b[41m");
  screen.resize({2, 20});
  EXPECT_EQ(painted(screen), "ab\x1b[2;1Hcd\x1b[2;3H\x1b[41m");
  screen.resize({3, 1});
  EXPECT_EQ(painted(screen), "a\x1b[2;1Hc\x1b[2;1H\x1b[41m");
  screen.resize({4, 10});
  EXPECT_EQ(painted(screen), "a\x1b[2;1Hc\x1b[2;1H\x1b[41m");
}

TEST(Screen, StandsWhatAResizeLeavesOutside) {
  Screen screen({50, 200});
  screen.feed(
      "\x1b[40;50r\x1b[45;190H\x1b"
      "7\x1b[?1049h\x1b[50;200H\x1b"
      "7");
  screen.resize({2, 3});
  screen.feed(
      "\x1b"
      "8\x1b[K\x1b[1Jx\n\n\n\x1bM\x1bM\x1b[Mx\t\x1b[?1049l\x1b[K\x1b[?6h\x1b[Lx\x1b"
      "8\x1b[Jx");
  EXPECT_EQ(screen.paint().find("\x1b[40;"), std::string::npos);
}

TEST(Screen, AnyNumberOfMarksIsOneCharacter) {
  Screen screen({4, 10});
  screen.feed("e");
  for (int i = 0; i < 100000; i++)
    screen.feed(i % 2 == 0 ? "\xcc\x81" : "\xcc\x81\x1b[m");
  EXPECT_LT(screen.paint().size(), 100U);
  // With wrapping off every character is drawn on the last column: no mark, but none moves.
  screen.feed("\x1b[?7l\x1b[2;10H");
  for (int i = 0; i < 100; i++)
    screen.feed("\xe6\xbc\xa2");
  screen.feed("\x1b[3;1H\xe2\x9c\x93");
  EXPECT_NE(screen.paint().find("\x1b[3;1H\xe2\x9c\x93"), std::string::npos);
}

TEST(Screen, UnusableSizesBecomeUsable) {
  EXPECT_EQ(Screen({0, 0}).size(), (Size{24, 80}));
  EXPECT_EQ(Screen({65535, 65535}).size(), (Size{1000, 2000}));
  EXPECT_EQ(usable({0, 132}), (Size{24, 132}));
  Screen screen({10, 10});
  screen.resize({0, 0});
  EXPECT_EQ(screen.size(), (Size{24, 80}));
}

TEST(Screen, CanBeMoved) {
  Screen screen({4, 10});
  screen.feed("abc\x1b[31");
  Screen other = std::move(screen);
  other.feed("md");
  EXPECT_EQ(painted(other), "abc\x1b[31md\x1b[1;5H");
}

// Whoever attaches must see the same from then on as those who looked from the start.
TEST(Screen, APictureCanBeDrawnOn) {
  const std::string_view kUsual[] = {
      "words ",    "0123456789",     "\r\n",         "\r",
      "\b",        "\x1b[31m",       "\x1b[1;4m",    "\x1b[m",
      "\x1b[2;3r", "\x1b[r",         "\x1b[K",       "\x1b[1J",
      "\x1b[2;5H", "\x1b[44m\x1b[K", "\x1b[L",       "\x1b[M",
      "\x1b[2@",   "\x1b[P",         "\x1b[4h",      "\x1b[4l",
      "\x1b[?7l",  "\x1b[?7h",       "\x1b[?6h",     "\x1b[?6l",
      "\x1b(0",    "\x1b(B",         "\x1b)0\x0e",   "\x0f",
      "\x1b\x37",  "\x1b\x38",       "\x1bM",        "\x1b\x44",
      "\x1b[2m",   "\xe6\xbc\xa2",   "\xe2\x94\x80", "\x1b[?5h",
      "\x1b[?5l",  "\x1b[20h",       "\x1b[20l",     "\x1b[S",
      "\x1b[X",    "x\x1b[3b",       "\x1b[!p",      "\n",
      "\x1b[8m",   "\x1b[38;5;99m",  "\x1b[10G",
  };
  std::mt19937 random(23);
  for (int round = 0; round < 3000; round++) {
    Screen screen({4, 10});
    auto some = [&] {
      std::string bytes;
      for (size_t i = random() % 30; i > 0; i--)
        bytes += kUsual[random() % std::size(kUsual)];
      return bytes;
    };
    std::string before = some(), after = some();
    Screen other({4, 10});
    screen.feed(before);
    other.feed(screen.paint());
    screen.feed(after);
    other.feed(after);
    ASSERT_EQ(other.paint(), screen.paint())
        << testing::PrintToString(before) << testing::PrintToString(after);
  }
}

// What libvterm 0.1.4 does not survive by itself, and all that is near to it.
const std::string_view kHostile[] = {
    "\x1b[;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;m",
    "\x1b[1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1m",
    "\x1b[38;2;38;2;38;2;38;2;38;2;38;2;38;2;38;2;38;2;38;2;38m",
    "\x1b[4:m",
    "\x1b[2147483647b",
    "\xcc\x81\x1b[5b",
    "\xe6\xbc\xa2\x1b[99b",
    "\xe6\xbc\xa2",
    "\xe6\xbc\xa2\xe6\xbc\xa2\xe6\xbc\xa2",
    "a\xe2",
    "b",
    "\xfd\xbf\xbf\xbf\xbf\xbf",
    "\xc2\x85\xc2\x9b",
    "\xf4\x8f\xbf\xbf\xef\xbf\xbf",
    "\x1b]0;",
    "\x1b",
    "\\",
    "\x1b#3",
    "\x1b#6x",
    "\x1b[?69h",
    "\x1b[?69l",
    "\x1b[2147483647;2147483647s",
    "\x1b[9999s",
    "\x1b[3;1s",
    "\x1b[2147483647;2147483647r",
    "\x1b[2;2r",
    "\x1b[r",
    "\x1b[2147483647A",
    "\x1b[2147483647B",
    "\x1b[2147483647C",
    "\x1b[4294967295;18446744073709551615H",
    "\x1b[9999@",
    "\x1b[9999P",
    "\x1b[9999L",
    "\x1b[9999M",
    "\x1b[9999S",
    "\x1b[9999T",
    "\x1b[9999X",
    "\x1b[9999I",
    "\x1b[9999Z",
    "\x1b[9999'}",
    "\x1b[9999'~",
    "\x1b[4h",
    "\x1b[4l",
    "\x1b[20h",
    "\x1b[?6h",
    "\x1b[?6l",
    "\x1b[?7l",
    "\x1b[?7h",
    "\x1b[?5h",
    "\x1b[?47h",
    "\x1b[?1047l",
    "\x1b[?1049h",
    "\x1b[?1049l",
    "\x1b[?1048h",
    "\x1b[?1048l",
    "\x1b\x37",
    "\x1b\x38",
    "\x1b"
    "c",
    "\x1b[!p",
    "\x1b#8",
    "\x1bM",
    "\x1b"
    "D",
    "\x1b"
    "E",
    "\x1bH",
    "\x1bN",
    "\x1bO",
    "\x1bn",
    "\x1b(0",
    "\x1b)A",
    "\x0e",
    "\x0f",
    "\x1b[1\"q",
    "\x1b[?J",
    "\x1b[?2K",
    "\x1b[1J",
    "\x1b[J",
    "\x1b[K",
    "\x1b[1K",
    "\x1b[3g",
    "\x1b[g",
    "\t",
    "\b",
    "\r",
    "\n",
    "\x1b[6n",
    "\x1b[c",
    "\x1b[?2026$p",
    "some words and more",
};

TEST(Screen, SurvivesHostileAndRandomBytesAtAnySize) {
  const Size sizes[] = {{1, 1}, {1, 2}, {2, 1}, {24, 80}, {50, 200}, {3, 7}, {1, 300}};
  std::mt19937 random(7);
  for (const Size& first : sizes) {
    Screen screen(first);
    for (int round = 0; round < 3000; round++) {
      std::string chunk;
      for (size_t i = random() % 20; i > 0; i--) {
        if (random() % 4 == 0) {
          chunk += static_cast<char>(random());
        } else {
          chunk += kHostile[random() % std::size(kHostile)];
        }
      }
      size_t cut = random() % (chunk.size() + 1);
      screen.feed(chunk.substr(0, cut));
      if (random() % 50 == 0) screen.resize(sizes[random() % std::size(sizes)]);
      screen.feed(chunk.substr(cut));
      if (random() % 100 == 0) {
        std::string picture = screen.paint();
        ASSERT_EQ(picture.find("\xff"), picture.npos);
        Screen other(screen.size());
        other.feed(picture);
      }
    }
    screen.resize(first);
  }
}

}  // namespace
}  // namespace ringwall::terminal
