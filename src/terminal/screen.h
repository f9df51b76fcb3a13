// What a terminal shows after the bytes that it was fed: the screen for those who attach later, and
// the answers to queries while nobody's terminal is there to give them.
//
// libvterm moves the cursor, wraps, measures characters and answers. Version 0.1.4 of Debian 12
// cannot be trusted with foreign bytes: its arrays overflow, positions are not checked against a
// new size, one sequence never ends. So it gets none of them: bytes are parsed here (Tokens), and
// libvterm is sent short, checked sequences of our own. What it wants drawn is drawn into Cells.
//
// Not obeyed: margins at the sides, lines of double size, and filling the screen with E (few use
// them, and they cost a screen of work for three bytes). Tab stops are kept, but not painted.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "terminal/cells.h"
#include "terminal/look.h"
#include "terminal/size.h"
#include "terminal/tokens.h"

struct VTerm;

namespace ringwall::terminal {

class Screen {
 public:
  explicit Screen(Size size);

  void feed(std::string_view bytes);
  // The margins are lost, as in other terminals.
  void resize(Size size);
  Size size() const { return size_; }

  // Sequences that draw this screen on a terminal of the same size, and leave the cursor, the look
  // of the next character and the margins as they are here. Which of the two screens is shown,
  // whether the cursor is, and what has nothing to do with drawing (mouse, pasting, …) are matters
  // of the filter's TrackedModes; the screen has to be switched before.
  std::string paint() const;

  // What is to be written to the program as if typed; at most some kilobytes are kept.
  std::string take_answers();

 private:
  struct Place {
    int row = 0;
    int column = 0;
    bool operator==(const Place&) const = default;
  };
  struct Charsets {
    char sets[2] = {'B', 'B'};
    bool second = false;
  };
  // What DECSC keeps, once for each of the two screens.
  struct Saved {
    bool used = false;
    Place place;
    Look look;
    Charsets charsets;
    bool origin = false;
  };
  // How the next bytes are drawn, as far as libvterm does not tell.
  struct Drawing {
    int top = 0, bottom = 0, left = 0, right = 0;  // margins, counted from 1; 0: none
    bool sides = false;                            // those at the sides count
    bool origin = false;
    bool insert = false;
    bool newline = false;
    bool wrap = true;
    bool reversed = false;
    Charsets charsets;
  };
  // What libvterm draws into: its place in memory never changes.
  struct Canvas {
    Cells primary, other;
    bool alternate = false;
    Look look;
    Cells& shown() { return alternate ? other : primary; }
  };
  struct Callbacks;
  struct Free {
    void operator()(VTerm* vterm) const;
  };

  void send(std::string_view sequences);
  void send(char final, int value);
  Place cursor() const;
  void move_to(Place place);
  void send_charsets();

  void take(const Token& token);
  void print(std::string_view ascii);
  void print(char32_t character);
  void repeat(int count);
  void take_control(char32_t control);
  void take_escape(char intermediate, char final);
  void take_sequence(const Sequence& sequence);
  bool take_plain(const Sequence& sequence);
  void take_special(const Sequence& sequence);
  void take_query(const Sequence& sequence);
  void set_margins(const Sequence& sequence);
  void set_sides(const Sequence& sequence);
  void set_mode(int mode, bool on);
  void set_private_mode(int mode, bool on);
  void show_alternate(int mode, bool on);
  Saved& saved() { return saved_[canvas_->alternate]; }
  void save();
  void restore();
  void reset();
  void reset_softly();
  void clear_margins();
  static std::string designations(const Charsets& charsets);
  std::string margins_and_place() const;

  Size size_;
  std::unique_ptr<Canvas> canvas_;
  std::unique_ptr<VTerm, Free> vterm_;
  Tokens tokens_;
  Drawing drawing_;
  Saved saved_[2];
  bool at_edge_ = false;  // the next character begins a new row
  char32_t last_ = 0;     // printed
  // Marks on one cell: libvterm would keep all of them.
  Place marks_at_{-1, -1};
  int marks_ = 0;
  std::string answers_;
};

}  // namespace ringwall::terminal
