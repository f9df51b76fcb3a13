// The cells of one screen. Every area is cut to what is there, so no caller can reach outside, and
// no operation costs more than one row or the number of rows: a few bytes of a hostile program must
// not cost a whole screen of work.
#pragma once

#include <array>
#include <vector>

#include "terminal/look.h"
#include "terminal/size.h"

namespace ringwall::terminal {

struct Cell {
  // A character and what combines with it, to the first 0; none: the cell is empty.
  std::array<char32_t, 4> characters{};
  uint8_t columns = 1;  // 2: wide; 0: the second half of a wide one
  Look look;
};

class Cells {
 public:
  explicit Cells(Size size);

  const Cell& at(int row, int column) const;

  // Rows and columns from 0; an end is not part of what it ends. `characters` end with a 0; those
  // that take no column are marks on the character before.
  void put(int row, int column, const uint32_t* characters, int columns, const Look& look);
  // What is empty has a background and no other look.
  void erase_row(int row, int from, int to, const Colour& background);
  // Rows go up, or down by a negative number.
  void scroll(int from, int to, int up, const Colour& background);
  // Cells of a row go left, or right by a negative number.
  void shift(int row, int from, int to, int left, const Colour& background);
  void resize(Size size);

 private:
  struct Row {
    std::vector<Cell> cells;  // from the left; all behind are like `rest`
    Cell rest;
  };

  bool has(int row) const { return row >= 0 && static_cast<size_t>(row) < order_.size(); }
  Row& row_at(int row) { return rows_[order_[static_cast<size_t>(row)]]; }
  int cut(int column) const;
  static void fill_up(Row& row, int columns);
  static void part(Row& row, int column);
  static void add_marks(Row& row, int column, const uint32_t* marks);
  void clear(Row& row, int from, int to, const Colour& background);

  std::vector<Row> rows_;
  std::vector<size_t> order_;  // which of them is shown where: scrolling moves no row
  int columns_;
};

}  // namespace ringwall::terminal
