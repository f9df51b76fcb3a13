#include "terminal/cells.h"

#include <algorithm>
#include <numeric>

namespace ringwall::terminal {
namespace {

Cell empty_cell(const Colour& background) {
  Cell cell;
  cell.look.background = background;
  return cell;
}

}  // namespace

Cells::Cells(Size size) : rows_(size.rows), order_(size.rows), columns_(size.columns) {
  std::iota(order_.begin(), order_.end(), 0);
}

const Cell& Cells::at(int row, int column) const {
  const Row& in = rows_[order_.at(static_cast<size_t>(row))];
  auto index = static_cast<size_t>(column);
  return index < in.cells.size() ? in.cells[index] : in.rest;
}

int Cells::cut(int column) const { return std::clamp(column, 0, columns_); }

void Cells::fill_up(Row& row, int columns) {
  auto size = static_cast<size_t>(columns);
  if (row.cells.size() < size) row.cells.resize(size, row.rest);
}

// A wide character that is about to lose one of its halves, on both sides of the left edge of
// `column`, goes.
void Cells::part(Row& row, int column) {
  if (column <= 0 || static_cast<size_t>(column) >= row.cells.size()) return;
  Cell& right = row.cells[static_cast<size_t>(column)];
  if (right.columns != 0) return;
  Cell& left = row.cells[static_cast<size_t>(column) - 1];
  left = {.look = left.look};
  right = {.look = right.look};
}

void Cells::clear(Row& row, int from, int to, const Colour& background) {
  if (from >= to) return;
  part(row, from);
  part(row, to);
  bool is_empty = static_cast<size_t>(from) >= row.cells.size();
  if (is_empty && row.rest.look.background == background) return;
  if (to == columns_) {
    row.cells.resize(static_cast<size_t>(from), row.rest);
    row.rest = empty_cell(background);
    return;
  }
  fill_up(row, to);
  std::fill(row.cells.begin() + from, row.cells.begin() + to, empty_cell(background));
}

// Marks that come late: the character left of `column` gets them.
void Cells::add_marks(Row& row, int column, const uint32_t* marks) {
  auto index = static_cast<size_t>(column);
  if (index == 0 || index > row.cells.size()) return;
  Cell* cell = &row.cells[index - 1];
  if (cell->columns == 0) cell--;
  if (cell->characters[0] == 0) return;
  for (char32_t& character : cell->characters) {
    if (character == 0 && *marks != 0) character = *marks++;
  }
}

void Cells::put(int row, int column, const uint32_t* characters, int columns, const Look& look) {
  if (!has(row) || column < 0 || column >= columns_) return;
  if (columns == 0) return add_marks(row_at(row), column, characters);
  // One that has no room is shown by an empty place.
  bool fits = columns > 0 && columns <= 2 && column + columns <= columns_;
  int end = fits ? column + columns : column + 1;
  Row& to = row_at(row);
  fill_up(to, end);
  part(to, column);
  part(to, end);
  Cell& cell = to.cells[static_cast<size_t>(column)];
  cell = {.look = look};
  if (!fits) return;
  for (size_t i = 0; i < cell.characters.size() && characters[i] != 0; i++)
    cell.characters[i] = characters[i];
  if (columns < 2) return;
  cell.columns = 2;
  to.cells[static_cast<size_t>(column) + 1] = {.columns = 0, .look = look};
}

void Cells::erase_row(int row, int from, int to, const Colour& background) {
  if (has(row)) clear(row_at(row), cut(from), cut(to), background);
}

void Cells::scroll(int from, int to, int up, const Colour& background) {
  int rows = static_cast<int>(order_.size());
  from = std::clamp(from, 0, rows);
  to = std::clamp(to, from, rows);
  up = std::clamp(up, from - to, to - from);
  auto first = order_.begin() + from, last = order_.begin() + to;
  std::rotate(first, up >= 0 ? first + up : last + up, last);
  int first_new = up >= 0 ? to - up : from;
  for (int row = first_new; row < first_new + std::abs(up); row++)
    clear(row_at(row), 0, columns_, background);
}

void Cells::shift(int row, int from, int to, int left, const Colour& background) {
  from = cut(from);
  to = cut(to);
  if (!has(row) || from >= to) return;
  left = std::clamp(left, from - to, to - from);
  Row& in = row_at(row);
  fill_up(in, to);
  part(in, from);
  part(in, to);
  part(in, left >= 0 ? from + left : to + left);
  auto begin = in.cells.begin() + from, end = in.cells.begin() + to;
  std::rotate(begin, left >= 0 ? begin + left : end + left, end);
  left >= 0 ? clear(in, to - left, to, background) : clear(in, from, from - left, background);
}

void Cells::resize(Size size) {
  std::vector<Row> rows(size.rows);
  for (size_t i = 0; i < std::min(rows.size(), order_.size()); i++) {
    rows[i] = std::move(rows_[order_[i]]);
    part(rows[i], size.columns);
    if (rows[i].cells.size() > size.columns) rows[i].cells.resize(size.columns);
  }
  rows_ = std::move(rows);
  order_.resize(size.rows);
  std::iota(order_.begin(), order_.end(), 0);
  columns_ = size.columns;
}

}  // namespace ringwall::terminal
