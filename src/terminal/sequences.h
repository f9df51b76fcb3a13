// The named table of what a program inside may send to the person's terminal, and why: the only
// list of it. The filter judges by it and docs/terminal.md is made from it.
//
// What stands in no row is dropped. A row is dropped when the terminal would answer with text that
// the program chose (the answer arrives as typed input), would act on something other than its own
// screen (clipboard, printer, files, fonts, windows), or would read what follows in another way.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "terminal/control_sequence.h"

namespace ringwall::terminal {

enum class Verdict : uint8_t { pass, drop, grantable };

struct Rule {
  std::string_view name;
  Verdict verdict;
  std::string_view what;  // it does
  std::string_view why;   // it passes, or not
};

// What a sequence that passed changes in the terminal, for TrackedModes and the count of queries.
enum class Effect : uint8_t {
  none,
  query,
  shift_out,
  shift_in,
  designate,
  save_cursor,
  restore_cursor,
  keypad_on,
  keypad_off,
  tab_stops,
  align,
  hard_reset,
  soft_reset,
  colours,
  rows,
  columns_or_save,
  set_modes,
  reset_modes,
  cursor_style,
  console_cursor,
  keyboard_push,
  keyboard_pop,
  keyboard_set,
  other_keys,
  other_keys_off,
  title_push,
  title_pop,
};

// A control byte below 0x20, or DEL.
struct ControlRule {
  unsigned char byte;
  Effect effect;
  Rule rule;
};

// ESC, intermediate bytes, final byte.
struct EscapeRule {
  std::string_view intermediates;
  std::string_view finals;  // any of these
  Effect effect;
  Rule rule;
};

// CSI, marker, parameters, intermediate, final byte. The first row that fits decides.
struct CsiRule {
  std::string_view form;     // marker, intermediate and final without the parameters: "?$p"
  std::string_view numbers;  // values of the first parameter, as "5 6 20-24"; empty for any
  uint8_t fewest, most;      // parameters
  Effect effect;
  Rule rule;
};

// What a set or reset of a mode means beyond switching it.
enum class ModeRole : uint8_t {
  plain,
  mouse_tracking,
  mouse_encoding,
  alternate_screen,
  cursor_save,
  keys,     // other bytes for keys
  reports,  // the terminal speaks unasked
};

// Whoever has the keyboard gets what these change: nobody else may switch them.
bool is_of_keyboard(ModeRole role);
bool is_of_keyboard(Effect effect);
// The terminal speaks unasked, so that some of it may be on its way when the program is gone.
bool makes_reports(ModeRole role);

// One number in CSI … h and CSI … l, which may carry several.
struct ModeRule {
  char marker;  // '?' or 0
  uint16_t number;
  bool normally_on;
  ModeRole role;
  Rule rule;
};

// How the text of an operating system command is judged.
enum class OscText : uint8_t {
  none,
  title,
  palette,
  palette_reset,
  dynamic_colour,
  dynamic_colour_reset,
  hyperlink,
  message_or_progress,
  named_message,
  structured_message,
  prompt_mark,
  clipboard,
};

struct OscRule {
  std::string_view numbers;  // as above
  OscText text;
  Rule rule;
};

// ESC and this byte open a string that ends with ST. None of them passes.
struct StringRule {
  char opener;
  Rule rule;
};

std::span<const ControlRule> control_rules();
std::span<const EscapeRule> escape_rules();
std::span<const CsiRule> csi_rules();
std::span<const ModeRule> mode_rules();
std::span<const OscRule> osc_rules();
std::span<const StringRule> string_rules();

// The row that fits, or null where none does.
const ControlRule* find_control(unsigned char byte);
const EscapeRule* find_escape(std::string_view body);
const CsiRule* find_csi(const ControlSequence& sequence);
const ModeRule* find_mode(char marker, uint16_t number);
const OscRule* find_osc(unsigned number);

// Does "5 6 20-24" hold `number`? An empty list holds every number.
bool holds_number(std::string_view numbers, unsigned number);

}  // namespace ringwall::terminal
