#include "terminal/cells.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace ringwall::terminal {
namespace {

constexpr Size kSize{4, 6};

void put(Cells& cells, int row, int column, uint32_t character, int columns = 1) {
  const uint32_t characters[] = {character, 0};
  cells.put(row, column, characters, columns, {});
}

// "W<" is a wide character, "." an empty cell.
std::string row_of(const Cells& cells, int row, int columns) {
  std::string out;
  for (int column = 0; column < columns; column++) {
    const Cell& cell = cells.at(row, column);
    out += cell.columns == 0         ? '<'
           : cell.characters[0] == 0 ? '.'
                                     : static_cast<char>(cell.characters[0]);
  }
  return out;
}

std::string shown(const Cells& cells, Size size = kSize) {
  std::string out;
  for (int row = 0; row < size.rows; row++)
    out += (row > 0 ? "/" : "") + row_of(cells, row, size.columns);
  return out;
}

Cells letters() {
  Cells cells(kSize);
  for (int row = 0; row < kSize.rows; row++) {
    for (int column = 0; column < kSize.columns; column++)
      put(cells, row, column, static_cast<uint32_t>('a' + row * kSize.columns + column));
  }
  return cells;
}

Cells wide_row(int at) {
  Cells cells({1, 6});
  for (int column = 0; column < 6; column++)
    put(cells, 0, column, static_cast<uint32_t>('0' + column));
  put(cells, 0, at, 'W', 2);
  return cells;
}

TEST(Cells, ErasesWhatIsInside) {
  Cells cells = letters();
  cells.erase_row(1, 2, 4, {});
  cells.erase_row(2, -5, 1, {});
  cells.erase_row(3, 4, 99, {});
  EXPECT_EQ(shown(cells), "abcdef/gh..kl/.nopqr/stuv..");
  cells.erase_row(0, 4, 2, {});
  cells.erase_row(-1, 0, 6, {});
  cells.erase_row(4, 0, 6, {});
  EXPECT_EQ(shown(cells), "abcdef/gh..kl/.nopqr/stuv..");
}

TEST(Cells, EveryErasedCellKeepsItsBackground) {
  const Colour red{Colour::Kind::indexed, 1}, blue{Colour::Kind::indexed, 4};
  Cells cells(kSize);
  cells.erase_row(0, 2, 6, red);
  cells.erase_row(0, 4, 6, blue);
  cells.erase_row(0, 3, 5, {});
  const Colour expected[] = {{}, {}, red, {}, {}, blue};
  for (int column = 0; column < 6; column++)
    EXPECT_EQ(cells.at(0, column).look.background, expected[column]) << column;
  cells.scroll(0, 4, 1, red);
  EXPECT_EQ(cells.at(3, 5).look.background, red);
  cells.shift(3, 1, 6, 2, blue);
  EXPECT_EQ(cells.at(3, 3).look.background, red);
  EXPECT_EQ(cells.at(3, 4).look.background, blue);
}

TEST(Cells, ScrollsRows) {
  Cells cells = letters();
  cells.scroll(0, 4, 1, {});
  EXPECT_EQ(shown(cells), "ghijkl/mnopqr/stuvwx/......");
  cells = letters();
  cells.scroll(1, 4, -2, {});
  EXPECT_EQ(shown(cells), "abcdef/....../....../ghijkl");
  cells.scroll(-7, 99, 9999, {});
  EXPECT_EQ(shown(cells), "....../....../....../......");
  cells = letters();
  cells.scroll(3, 1, 1, {});
  cells.scroll(0, 0, 5, {});
  EXPECT_EQ(shown(cells), shown(letters()));
}

TEST(Cells, ShiftsPartsOfARow) {
  Cells cells = letters();
  cells.shift(1, 1, 5, 3, {});
  EXPECT_EQ(shown(cells), "abcdef/gk...l/mnopqr/stuvwx");
  cells = letters();
  cells.shift(1, 1, 5, -1, {});
  EXPECT_EQ(shown(cells), "abcdef/g.hijl/mnopqr/stuvwx");
  cells = letters();
  cells.shift(1, -4, 99, -9999, {});
  cells.shift(9, 0, 6, 1, {});
  cells.shift(-1, 0, 6, 1, {});
  cells.shift(0, 5, 1, 1, {});
  EXPECT_EQ(shown(cells), "abcdef/....../mnopqr/stuvwx");
}

TEST(Cells, ResizeKeepsWhatFits) {
  Cells cells = letters();
  cells.scroll(0, 4, 1, {});
  cells.resize({2, 3});
  EXPECT_EQ(shown(cells, {2, 3}), "ghi/mno");
  cells.resize({3, 5});
  EXPECT_EQ(shown(cells, {3, 5}), "ghi../mno../.....");
}

TEST(Cells, HalvesOfAWideCharacterGoTogether) {
  Cells cells = wide_row(2);
  EXPECT_EQ(row_of(cells, 0, 6), "01W<45");
  put(cells, 0, 2, 'x');
  EXPECT_EQ(row_of(cells, 0, 6), "01x.45");
  cells = wide_row(2);
  put(cells, 0, 3, 'x');
  EXPECT_EQ(row_of(cells, 0, 6), "01.x45");
  cells = wide_row(2);
  cells.put(0, 1, std::array<uint32_t, 2>{'V', 0}.data(), 2, {});
  EXPECT_EQ(row_of(cells, 0, 6), "0V<.45");
  cells = wide_row(2);
  cells.erase_row(0, 3, 5, {});
  EXPECT_EQ(row_of(cells, 0, 6), "01...5");
  cells = wide_row(2);
  cells.shift(0, 0, 6, 3, {});
  EXPECT_EQ(row_of(cells, 0, 6), ".45...");
  cells = wide_row(4);
  cells.shift(0, 0, 6, -1, {});
  EXPECT_EQ(row_of(cells, 0, 6), ".0123.");
  cells = wide_row(2);
  cells.resize({1, 3});
  EXPECT_EQ(row_of(cells, 0, 3), "01.");
}

TEST(Cells, WhatDoesNotFitIsAnEmptyPlace) {
  Cells cells = wide_row(0);
  put(cells, 0, 5, 'V', 2);
  EXPECT_EQ(row_of(cells, 0, 6), "W<234.");
  put(cells, 0, 9, 'x');
  put(cells, -1, 0, 'x');
  put(cells, 0, -1, 'x');
  put(cells, 0, 3, 'x', 77);
  EXPECT_EQ(row_of(cells, 0, 6), "W<2.4.");
}

TEST(Cells, KeepSomeMarksAndNoMore) {
  const uint32_t many[] = {'e', 0x301, 0x302, 0x303, 0x304, 0x305, 0};
  Cells cells(kSize);
  cells.put(0, 0, many, 1, {});
  EXPECT_EQ(cells.at(0, 0).characters[3], 0x303U);
}

TEST(Cells, LateMarksGoToTheCharacterBefore) {
  Cells cells = wide_row(2);
  put(cells, 0, 1, 0x301, 0);
  put(cells, 0, 4, 0x302, 0);
  put(cells, 0, 0, 0x303, 0);
  EXPECT_EQ(cells.at(0, 0).characters[1], 0x301U);
  EXPECT_EQ(cells.at(0, 2).characters[1], 0x302U);
  EXPECT_EQ(row_of(cells, 0, 6), "01W<45");
  cells = Cells(kSize);
  put(cells, 0, 3, 0x301, 0);
  EXPECT_EQ(shown(cells), shown(Cells(kSize)));
}

TEST(Cells, NoHalfIsEverAlone) {
  std::mt19937 random(11);
  auto number = [&](int least, int most) {
    return least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
  };
  Cells cells({5, 7});
  for (int i = 0; i < 100000; i++) {
    switch (number(0, 4)) {
      case 0:
        put(cells, number(-1, 5), number(-1, 7), 'x', number(0, 2));
        break;
      case 1:
        put(cells, number(0, 4), number(0, 6), 'W', 2);
        break;
      case 2:
        cells.scroll(number(-1, 5), number(-1, 6), number(-3, 3), {});
        break;
      case 3:
        cells.shift(number(-1, 5), number(-1, 7), number(-1, 8), number(-3, 3), {});
        break;
      default:
        cells.erase_row(number(-1, 5), number(-1, 7), number(-1, 8), {});
    }
    for (int row = 0; row < 5; row++) {
      for (int column = 0; column < 7; column++) {
        bool second = column > 0 && cells.at(row, column - 1).columns == 2;
        ASSERT_EQ(cells.at(row, column).columns == 0, second) << i;
      }
      ASSERT_NE(cells.at(row, 6).columns, 2);
    }
  }
}

}  // namespace
}  // namespace ringwall::terminal
