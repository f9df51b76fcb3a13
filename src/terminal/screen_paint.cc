// The screen as sequences that draw it anew elsewhere.
#include <algorithm>

#include "terminal/screen.h"
#include "terminal/utf8.h"

namespace ringwall::terminal {
namespace {

// No wrapping, so that a character that another terminal finds wider cannot break the next row; no
// margins; letters as letters; then empty.
constexpr std::string_view kPrepare =
    "\x1b[?7l\x1b[?6l\x1b[?69l\x1b[r\x1b[4l\x1b(B\x1b)B\x0f\x1b[m\x1b[H\x1b[2J";

// Letters with their accents, and lines and blocks; of the rest terminals have different tables.
bool is_certainly_narrow(const Cell& cell) {
  char32_t c = cell.characters[0];
  return cell.columns == 1 && cell.characters[1] == 0 && (c < 0x300 || (c >= 0x2500 && c < 0x25a0));
}

bool looks_empty(const Cell& cell) {
  if (cell.characters[0] != 0 && cell.characters[0] != ' ') return false;
  const Look& look = cell.look;
  return look.background == Colour{} && !look.reverse && !look.strike &&
         look.underline == Look::Underline::none;
}

std::string position(int row, int column) {
  return "\x1b[" + std::to_string(row + 1) + ";" + std::to_string(column + 1) + "H";
}

// Draws cells from left to right and from top to bottom; empty ones are left out.
class Painter {
 public:
  void draw(int row, int column, const Cell& cell) {
    go_to(row, column);
    draw_here(cell);
    column_ = is_certainly_narrow(cell) ? column + 1 : -1;
  }

  void draw_here(const Cell& cell) {
    use(cell.look);
    if (cell.characters[0] == 0) out_ += ' ';
    for (size_t i = 0; i < cell.characters.size() && cell.characters[i] != 0; i++)
      append_utf8(out_, cell.characters[i]);
  }

  void go_to(int row, int column) {
    if (row == row_ && column == column_) return;
    out_ += row == row_ ? "\x1b[" + std::to_string(column + 1) + "G" : position(row, column);
    row_ = row;
    column_ = column;
  }

  void use(const Look& look) {
    out_ += change(look_, look);
    look_ = look;
  }

  void add(std::string_view sequences) { out_ += sequences; }
  std::string take() { return std::move(out_); }

 private:
  std::string out_ = std::string(kPrepare);
  Look look_;
  int row_ = 0;
  int column_ = 0;  // -1: not known
};

}  // namespace

std::string Screen::paint() const {
  const Cells& cells = canvas_->shown();
  Painter painter;
  for (int row = 0; row < size_.rows; row++) {
    for (int column = 0; column < size_.columns; column++) {
      const Cell& cell = cells.at(row, column);
      if (cell.columns > 0 && !looks_empty(cell)) painter.draw(row, column, cell);
    }
  }
  if (const Saved& saved = saved_[canvas_->alternate]; saved.used) {
    painter.use(saved.look);
    if (saved.origin) painter.add("\x1b[?6h");
    painter.add(designations(saved.charsets));
    painter.add(position(std::min<int>(saved.place.row, size_.rows - 1),
                         std::min<int>(saved.place.column, size_.columns - 1)));
    painter.add("\x1b\x37\x1b[?6l\x1b(B\x1b)B\x0f");
  }
  painter.add(margins_and_place());
  if (drawing_.wrap) painter.add("\x1b[?7h");
  // Drawn once more, so that the next character begins a new row there too.
  Place place = cursor();
  if (drawing_.wrap && at_edge_) painter.draw_here(cells.at(place.row, place.column));
  painter.use(canvas_->look);
  if (drawing_.insert) painter.add("\x1b[4h");
  painter.add(designations(drawing_.charsets));
  return painter.take();
}

// From letters as letters to these.
std::string Screen::designations(const Charsets& charsets) {
  std::string out;
  if (charsets.sets[0] != 'B') out += std::string("\x1b(") + charsets.sets[0];
  if (charsets.sets[1] != 'B') out += std::string("\x1b)") + charsets.sets[1];
  if (charsets.second) out += "\x0e";
  return out;
}

// All that moves the cursor, and then its place.
std::string Screen::margins_and_place() const {
  const Drawing& d = drawing_;
  std::string out;
  if (d.top > 0) out += "\x1b[" + std::to_string(d.top) + ";" + std::to_string(d.bottom) + "r";
  if (d.sides) out += "\x1b[?69h";
  if (d.left > 0) out += "\x1b[" + std::to_string(d.left) + ";" + std::to_string(d.right) + "s";
  if (d.reversed) out += "\x1b[?5h";
  if (d.newline) out += "\x1b[20h";
  Place place = cursor();
  if (d.origin) {
    out += "\x1b[?6h";
    place.row -= std::max(d.top - 1, 0);
  }
  return out + position(std::max(place.row, 0), place.column);
}

}  // namespace ringwall::terminal
