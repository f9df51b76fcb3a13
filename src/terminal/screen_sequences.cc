// The sequences that Screen knows, each checked before libvterm sees it.
#include <algorithm>

#include "terminal/screen.h"

namespace ringwall::terminal {
namespace {

// Finals that libvterm may have with one number, whatever it is.
constexpr std::string_view kPlain = "@ABCDEFGILMPSTXZ`adejk";

bool is_bare(const Sequence& sequence) {
  return sequence.leader == 0 && sequence.intermediate == 0;
}

}  // namespace

void Screen::take_control(char32_t control) {
  if (control == 0x0e || control == 0x0f) drawing_.charsets.second = control == 0x0e;
  if (control < 0x08 || control > 0x0f) return;
  char byte = static_cast<char>(control);
  send({&byte, 1});
}

void Screen::take_escape(char intermediate, char final) {
  if ((intermediate == '(' || intermediate == ')') &&
      (final == '0' || final == 'A' || final == 'B')) {
    drawing_.charsets.sets[intermediate == '(' ? 0 : 1] = final;
    send_charsets();
    return;
  }
  if (intermediate != 0) return;
  switch (final) {
    case '7':
      save();
      return;
    case '8':
      restore();
      return;
    case 'c':
      reset();
      return;
    case 'D':
    case 'E':
    case 'H':
    case 'M':
      char bytes[] = {'\x1b', final};
      send({bytes, sizeof bytes});
      return;
  }
}

void Screen::take_sequence(const Sequence& sequence) {
  if (is_bare(sequence) && take_plain(sequence)) return;
  take_special(sequence);
}

// Those with one or two numbers and nothing to remember.
bool Screen::take_plain(const Sequence& sequence) {
  char final = sequence.final;
  if (final == 'T' && sequence.count > 1) return true;  // mouse tracking of old
  if (kPlain.find(final) != kPlain.npos) {
    send(final, sequence.value(0, 1));
    return true;
  }
  if (final == 'H' || final == 'f') {
    send("\x1b[" + std::to_string(sequence.value(0, 1)) + ";" +
         std::to_string(sequence.value(1, 1)) + "H");
    return true;
  }
  if (final == 'J' || final == 'K' || final == 'g') {
    int what = sequence.value(0, 0);
    if (what <= 2 || (what == 3 && final == 'g')) send(final, what);
    return true;
  }
  return false;
}

void Screen::take_special(const Sequence& sequence) {
  bool bare = is_bare(sequence);
  bool is_private = sequence.leader == '?' && sequence.intermediate == 0;
  int value = sequence.value(0, 0);
  char final = sequence.final;
  if (bare && final == 'm') {
    canvas_->look.apply(sequence);
  } else if (bare && final == 'b') {
    repeat(std::max(value, 1));
  } else if (bare && final == 'r') {
    set_margins(sequence);
  } else if (bare && final == 's') {
    set_sides(sequence);
  } else if (bare && final == 'u') {
    restore();
  } else if ((bare || is_private) && (final == 'h' || final == 'l')) {
    for (size_t i = 0; i < sequence.count; i++) {
      int mode = sequence.value(i, 0);
      is_private ? set_private_mode(mode, final == 'h') : set_mode(mode, final == 'h');
    }
  } else if (is_private && (final == 'J' || final == 'K')) {
    if (value <= 2) send(final, value);  // nothing is kept from being erased
  } else if (sequence.leader == 0 && sequence.intermediate == '!' && final == 'p') {
    reset_softly();
  } else if ((final == 'c' && (bare || sequence.leader == '>') && value == 0) ||
             (final == 'n' && (bare || is_private) && (value == 5 || value == 6)) ||
             (final == 'p' && sequence.leader == '?' && sequence.intermediate == '$')) {
    take_query(sequence);
  }
}

void Screen::set_margins(const Sequence& sequence) {
  int top = std::max(sequence.value(0, 1), 1);
  int bottom = sequence.value(1, 0);
  if (bottom == 0 || bottom > size_.rows) bottom = size_.rows;
  if (top >= bottom) return;
  bool whole = top == 1 && bottom == size_.rows;
  drawing_.top = whole ? 0 : top;
  drawing_.bottom = whole ? 0 : bottom;
  send("\x1b[" + std::to_string(top) + ";" + std::to_string(bottom) + "r");
}

// Remembered for those who attach. Without such margins the same letter saves the cursor.
void Screen::set_sides(const Sequence& sequence) {
  if (!drawing_.sides) {
    if (sequence.count == 0) save();
    return;
  }
  int left = std::max(sequence.value(0, 1), 1);
  int right = sequence.value(1, 0);
  if (right == 0 || right > size_.columns) right = size_.columns;
  if (left >= right) return;
  drawing_.left = left;
  drawing_.right = right;
  move_to({std::max(drawing_.origin ? drawing_.top - 1 : 0, 0), 0});
}

void Screen::set_mode(int mode, bool on) {
  if (mode != 4 && mode != 20) return;
  (mode == 4 ? drawing_.insert : drawing_.newline) = on;
  send(on ? 'h' : 'l', mode);
}

void Screen::set_private_mode(int mode, bool on) {
  switch (mode) {
    case 5:
      drawing_.reversed = on;
      break;
    case 6:
      drawing_.origin = on;
      break;
    case 7:
      drawing_.wrap = on;
      break;
    case 69:
      drawing_.sides = on;
      drawing_.left = drawing_.right = 0;
      return;
    case 47:
    case 1047:
    case 1049:
      show_alternate(mode, on);
      return;
    case 1048:
      on ? save() : restore();
      return;
    // Nothing that shows, but a program may ask how they are set.
    case 1:
    case 12:
    case 25:
    case 1000:
    case 1002:
    case 1003:
    case 1004:
    case 1005:
    case 1006:
    case 1015:
    case 2004:
      break;
    default:
      return;
  }
  send("\x1b[?" + std::to_string(mode) + (on ? "h" : "l"));
}

void Screen::show_alternate(int mode, bool on) {
  bool shown = canvas_->alternate;
  if (on) {
    if (mode == 1049 && !shown) save();
    if (!shown || mode == 1049) send("\x1b[?1047h");  // empties it, too
    return;
  }
  if (shown) send("\x1b[?1047l");
  if (mode == 1049) restore();
}

// libvterm has one place for both screens, and does not check it against a new size.
void Screen::save() {
  saved() = {true, cursor(), canvas_->look, drawing_.charsets, drawing_.origin};
}

void Screen::restore() {
  Saved from = saved();
  if (from.origin != drawing_.origin) set_private_mode(6, from.origin);
  canvas_->look = from.look;
  drawing_.charsets = from.charsets;
  send_charsets();
  move_to(from.place);
}

void Screen::reset() {
  // libvterm forgets that it showed the other screen, and stays there.
  canvas_->look = {};
  send("\x1b[?1047l\x1b[?5l\x1b\x63");
  drawing_ = {};
  saved_[0] = saved_[1] = {};
  last_ = 0;
}

void Screen::reset_softly() {
  Place before = cursor();
  set_private_mode(6, false);
  clear_margins();
  move_to(before);
  set_private_mode(7, true);
  set_private_mode(25, true);
  set_mode(4, false);
  canvas_->look = {};
  drawing_.charsets = {};
  send_charsets();
  saved() = {};
}

}  // namespace ringwall::terminal
