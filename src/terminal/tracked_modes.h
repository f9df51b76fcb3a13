// What a program has switched on in the terminal, so that a terminal can be brought back to normal
// when the program is gone, and a fresh one into the same state when somebody attaches.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "terminal/sequences.h"

namespace ringwall::terminal {

// One screen's stack of the kitty keyboard protocol. As in kitty, the oldest entry goes when a
// ninth comes.
class KeyboardStack {
 public:
  void push(unsigned flags);
  void pop(unsigned count);
  void set(unsigned flags, unsigned how);  // how: 1 these only, 2 these too, 3 these not
  std::string to_clear() const;
  static std::string to_clear_all();  // of one that is not known
  std::string to_build() const;
  bool is_normal() const { return depth_ == 0 && flags_[0] == 0; }
  bool reports_releases() const { return (flags_[depth_] & 2U) != 0; }

 private:
  static constexpr unsigned kDeepest = 8;
  unsigned depth_ = 0;  // entries above the first, which is always there
  std::array<uint8_t, kDeepest + 1> flags_{};
};

// What DECSC keeps beside the place of the cursor.
struct Drawing {
  bool coloured = false;                      // with some colour or attribute
  bool shifted = false;                       // with G1
  bool origin = false;                        // lines are counted from the margin
  std::array<std::array<char, 2>, 4> sets{};  // as "(0"; zeros for ASCII

  std::string to_clear() const;
  void add_sets(const Drawing& other);
};

// What a terminal shows, and what it sends: the latter goes to whoever has its keyboard.
enum class Part : uint8_t { screen, keyboard, all };

// Of colours set by OSC 4 (0 to 255) and OSC 10 to 12 (kDynamicColour + 10 to 12).
constexpr int kDynamicColour = 1000;

class TrackedModes {
 public:
  // Of a terminal of which nobody knows what a program has switched on: all of it, perhaps.
  static TrackedModes unknown();

  // What a sequence that passed has changed. `designation` is the body of an escape sequence.
  void apply(Effect effect, const ControlSequence& sequence);
  void designate(std::string_view designation);
  void set_mode(const ModeRule& rule, bool on);
  void set_colour(int which, std::string_view value) { colours_[which] = value; }
  void reset_colour(int which) { colours_.erase(which); }
  void reset_palette() { colours_.erase(colours_.begin(), colours_.lower_bound(kDynamicColour)); }
  void set_coloured(bool coloured) {
    drawing_.coloured = coloured;
    perhaps_.drawing.coloured = false;
  }
  void set_link(bool open) {
    link_open_ = open;
    perhaps_.link = false;
  }
  void set_progress(bool shown) { progress_ = shown; }

  // Is a private mode (CSI ? number h) away from what it normally is?
  bool is_changed(uint16_t number) const;
  bool alternate_screen() const { return alternate_ != 0; }
  bool link_open() const { return link_open_; }
  // The kitty keyboard protocol tells when a key goes up.
  bool reports_releases() const { return keyboard_[alternate_screen()].reports_releases(); }
  // The terminal speaks unasked: of the mouse, its size, and so on.
  bool makes_reports() const;

  friend std::string sequences_to_leave(const TrackedModes& modes, Part part);
  friend std::string sequences_to_enter(const TrackedModes& modes, Part part);

 private:
  // What was on when the program asked for a reset. Some terminals leave the alternate screen then,
  // or obey a soft reset, and others do not: it may be on still until it is switched off by name.
  // It is undone at the end, and not brought to a fresh terminal.
  struct Perhaps {
    std::bitset<128> changed;
    std::array<bool, 2> keyboard{};
    bool alternate = false;
    bool margins = false;
    bool keypad = false;
    bool tabs = false;
    bool link = false;
    bool cursor_style = false;
    bool console_cursor = false;
    bool other_keys = false;
    bool colours = false;
    Drawing drawing;
  };

  void apply_reset(Effect effect);
  void keep_as_perhaps();
  void apply_keyboard(Effect effect, const ControlSequence& sequence);
  void apply_margins(Effect effect, const ControlSequence& sequence);
  void save_cursor() { saved_[alternate_screen()] = drawing_; }
  void restore_cursor();
  void switch_screen(uint16_t number, bool on);
  std::string margins_to_clear() const;
  std::string colours_to_clear() const;
  std::string colours_to_set() const;

  std::bitset<128> changed_;     // by place in mode_rules(): away from normal
  uint16_t mouse_tracking_ = 0;  // set last, which terminals take as the one that counts
  uint16_t mouse_encoding_ = 0;
  uint16_t alternate_ = 0;  // the number by which the alternate screen was entered
  bool keypad_ = false;
  bool tabs_ = false;
  bool link_open_ = false;
  bool progress_ = false;
  uint16_t cursor_style_ = 0;
  uint16_t console_cursor_ = 0;
  uint16_t other_keys_ = 0;
  uint8_t titles_ = 0;    // kept by the terminal and not brought back yet
  bool margins_ = false;  // above and below; those at the sides end with their mode
  std::array<KeyboardStack, 2> keyboard_;  // of the main and the alternate screen
  std::array<Drawing, 2> saved_;
  Drawing drawing_;
  std::map<int, std::string> colours_;
  Perhaps perhaps_;
};

// Brings a terminal back to normal: only for what is on.
std::string sequences_to_leave(const TrackedModes& modes, Part part = Part::all);

// Brings a fresh terminal into these modes, before Screen::paint() draws on it: entering the
// alternate screen clears it. Colours, margins and character sets are left to paint().
std::string sequences_to_enter(const TrackedModes& modes, Part part = Part::all);

}  // namespace ringwall::terminal
