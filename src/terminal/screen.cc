#include "terminal/screen.h"

#include <vterm.h>

#include <algorithm>
#include <utility>

#include "terminal/utf8.h"

namespace ringwall::terminal {
namespace {

constexpr size_t kMostText = 256;      // libvterm puts four times as much onto its stack
constexpr size_t kMostAnswers = 4096;  // a program that does not read them gets no more
constexpr int kMostMarks = 16;
constexpr char32_t kFirstMark = 0x300;  // below nothing combines

// Leaves the cursor alone, and so also a row that is about to end.
bool is_still(const Token& token) {
  switch (token.kind) {
    case Token::Kind::control:
      return token.character < 0x08 || token.character > 0x0d;
    case Token::Kind::escape:
      return token.intermediate != 0 ||
             std::string_view("DEM8c").find(token.final) == std::string_view::npos;
    case Token::Kind::sequence:
      return std::string_view("mnchlpqg").find(token.sequence.final) != std::string_view::npos;
    default:
      return false;
  }
}

std::string to_utf8(char32_t character) {
  std::string bytes;
  append_utf8(bytes, character);
  return bytes;
}

}  // namespace

struct Screen::Callbacks {
  static Canvas& canvas(void* user) { return *static_cast<Canvas*>(user); }

  static int putglyph(VTermGlyphInfo* glyph, VTermPos at, void* user) {
    Canvas& to = canvas(user);
    to.shown().put(at.row, at.col, glyph->chars, glyph->width, to.look);
    return 1;
  }

  static int erase(VTermRect rect, int, void* user) {
    Canvas& to = canvas(user);
    for (int row = rect.start_row; row < rect.end_row; row++)
      to.shown().erase_row(row, rect.start_col, rect.end_col, to.look.background);
    return 1;
  }

  // Without margins at the sides it is whole rows up and down, or one row to the left and right.
  static int scrollrect(VTermRect rect, int up, int left, void* user) {
    Canvas& to = canvas(user);
    if (left == 0) {
      to.shown().scroll(rect.start_row, rect.end_row, up, to.look.background);
    } else {
      to.shown().shift(rect.start_row, rect.start_col, rect.end_col, left, to.look.background);
    }
    return 1;
  }

  static int settermprop(VTermProp property, VTermValue* value, void* user) {
    if (property == VTERM_PROP_ALTSCREEN) canvas(user).alternate = value->boolean != 0;
    return 1;
  }

  static constexpr VTermStateCallbacks kTable = {
      .putglyph = putglyph,
      .scrollrect = scrollrect,
      .erase = erase,
      .settermprop = settermprop,
  };
};

void Screen::Free::operator()(VTerm* vterm) const { vterm_free(vterm); }

Screen::Screen(Size size)
    : size_(usable(size)),
      canvas_(new Canvas{Cells(size_), Cells(size_)}),
      vterm_(vterm_new(size_.rows, size_.columns)) {
  vterm_set_utf8(vterm_.get(), 1);
  VTermState* state = vterm_obtain_state(vterm_.get());
  vterm_state_set_callbacks(state, &Callbacks::kTable, canvas_.get());
  vterm_state_reset(state, 1);
}

void Screen::send(std::string_view sequences) {
  vterm_input_write(vterm_.get(), sequences.data(), sequences.size());
}

void Screen::send(char final, int value) { send("\x1b[" + std::to_string(value) + final); }

Screen::Place Screen::cursor() const {
  VTermPos position;
  vterm_state_get_cursorpos(vterm_obtain_state(vterm_.get()), &position);
  return {position.row, position.col};
}

void Screen::move_to(Place place) {
  int row = std::clamp(place.row, 0, size_.rows - 1) + 1;
  int column = std::clamp(place.column, 0, size_.columns - 1) + 1;
  if (drawing_.origin) row = std::max(row - std::max(drawing_.top - 1, 0), 1);
  send("\x1b[" + std::to_string(row) + ";" + std::to_string(column) + "H");
}

void Screen::send_charsets() {
  const Charsets& charsets = drawing_.charsets;
  send({"\x1b(", 2});
  send({&charsets.sets[0], 1});
  send({"\x1b)", 2});
  send({&charsets.sets[1], 1});
  send(charsets.second ? "\x0e" : "\x0f");
}

void Screen::feed(std::string_view bytes) {
  while (const Token* token = tokens_.next(bytes))
    take(*token);
}

void Screen::take(const Token& token) {
  Place before = cursor();
  switch (token.kind) {
    case Token::Kind::text:
      return print(token.text);
    case Token::Kind::character:
      return print(token.character);
    case Token::Kind::control:
      take_control(token.character);
      break;
    case Token::Kind::escape:
      take_escape(token.intermediate, token.final);
      break;
    case Token::Kind::sequence:
      take_sequence(token.sequence);
      if (token.sequence.final == 'b') return;  // printed
  }
  if (!at_edge_ || (cursor() == before && is_still(token))) return;
  at_edge_ = false;
  // libvterm does not notice where the cursor is moved to where it was: a line feed in the last
  // row.
  if (cursor() == before) move_to(before);
}

void Screen::print(std::string_view ascii) {
  last_ = static_cast<unsigned char>(ascii.back());
  marks_ = 0;
  std::string_view rest = ascii.substr(0, ascii.size() - 1);
  for (size_t at = 0; at < rest.size(); at += kMostText)
    send(rest.substr(at, kMostText));
  Place before = cursor();
  send(ascii.substr(rest.size()));
  at_edge_ = cursor() == before;
}

void Screen::print(char32_t character) {
  last_ = character;
  Place before = cursor();
  if (character < kFirstMark || before != marks_at_) marks_ = 0;
  if (marks_ >= kMostMarks) return;
  send(to_utf8(character));
  marks_at_ = cursor();
  bool moved = marks_at_ != before;
  marks_ = moved ? 0 : marks_ + 1;
  at_edge_ = !moved && canvas_->shown().at(before.row, before.column).characters[0] == character;
}

// libvterm's own REP never ends with a mark, and leaves the screen with a wide character.
void Screen::repeat(int count) {
  count = std::min<int>(count, size_.columns);
  if (last_ == 0) return;
  if (last_ < 0x80) return print(std::string(static_cast<size_t>(count), static_cast<char>(last_)));
  for (int i = 0; i < count; i++)
    print(last_);
}

void Screen::resize(Size size) {
  size = usable(size);
  if (size == size_) return;
  clear_margins();
  // Fewer rows: those above the cursor go, not the one that it is in.
  Place place = cursor();
  int excess = std::max(place.row + 1 - size.rows, 0);
  canvas_->shown().scroll(0, size_.rows, excess, {});
  move_to({place.row - excess, place.column});
  canvas_->primary.resize(size);
  canvas_->other.resize(size);
  size_ = size;
  at_edge_ = false;
  vterm_set_size(vterm_.get(), size.rows, size.columns);
}

// libvterm does not check its margins against a new size.
void Screen::clear_margins() {
  Place before = cursor();
  drawing_.top = drawing_.bottom = drawing_.left = drawing_.right = 0;
  drawing_.sides = false;
  send("\x1b[r");
  move_to(before);
}

std::string Screen::take_answers() { return std::exchange(answers_, {}); }

void Screen::take_query(const Sequence& sequence) {
  int value = sequence.value(0, 0);
  std::string query = "\x1b[";
  if (sequence.leader != 0) query += sequence.leader;
  query += std::to_string(value);
  if (sequence.intermediate != 0) query += sequence.intermediate;
  send(query + sequence.final);
  char answer[64];  // as much as libvterm keeps
  size_t length = vterm_output_read(vterm_.get(), answer, sizeof answer);
  if (answers_.size() + length <= kMostAnswers) answers_.append(answer, length);
}

}  // namespace ringwall::terminal
