#include "terminal/sequences.h"

#include <algorithm>

namespace ringwall::terminal {
namespace {

using enum Verdict;

constexpr ControlRule kControls[] = {
    {0x07, Effect::none, {"BEL", pass, "rings the bell", "the oldest way to call somebody"}},
    {0x08, Effect::none, {"BS", pass, "moves back by one", "every line editor"}},
    {0x09, Effect::none, {"HT", pass, "moves to the next tab stop", "every text"}},
    {0x0a, Effect::none, {"LF", pass, "moves down", "every text"}},
    {0x0b, Effect::none, {"VT", pass, "moves down", "terminals treat it as LF"}},
    {0x0c, Effect::none, {"FF", pass, "moves down", "terminals treat it as LF"}},
    {0x0d, Effect::none, {"CR", pass, "moves to the start of the line", "every text"}},
    {0x0e, Effect::shift_out, {"SO", pass, "draws with set G1", "line drawing with vt100 entries"}},
    {0x0f, Effect::shift_in, {"SI", pass, "draws with set G0", "ends SO"}},
    {0x00, Effect::none, {"NUL", drop, "nothing", "padding for printers of paper"}},
    {0x05,
     Effect::none,
     {"ENQ", drop, "asks for the answer-back text", "the answer is typed into the terminal"}},
    {0x11, Effect::none, {"XON", drop, "starts the flow of bytes", "belongs to a serial line"}},
    {0x13, Effect::none, {"XOFF", drop, "stops the flow of bytes", "could stop a serial line"}},
    {0x18,
     Effect::none,
     {"CAN", drop, "ends a sequence without obeying it", "nothing unfinished ever passes"}},
    {0x1a,
     Effect::none,
     {"SUB", drop, "ends a sequence without obeying it", "nothing unfinished ever passes"}},
    {0x7f, Effect::none, {"DEL", drop, "nothing", "padding; some terminals draw it"}},
};

// The first ones are the ones that full-screen programs send again and again.
constexpr EscapeRule kEscapes[] = {
    {"(",
     "0AB12<>KU",
     Effect::designate,
     {"SCS G0", pass, "chooses character set G0", "line drawing of every curses program"}},
    {")",
     "0AB12<>KU",
     Effect::designate,
     {"SCS G1", pass, "chooses character set G1", "line drawing with vt100 entries"}},
    {"*", "0AB12<>KU", Effect::designate, {"SCS G2", pass, "chooses character set G2", "as G1"}},
    {"+", "0AB12<>KU", Effect::designate, {"SCS G3", pass, "chooses character set G3", "as G1"}},
    {"-", "A", Effect::designate, {"SCS G1, 96", pass, "Latin-1 as G1", "as G1"}},
    {".", "A", Effect::designate, {"SCS G2, 96", pass, "Latin-1 as G2", "as G1"}},
    {"/", "A", Effect::designate, {"SCS G3, 96", pass, "Latin-1 as G3", "as G1"}},
    {"", "7", Effect::save_cursor, {"DECSC", pass, "keeps cursor and colours", "status lines"}},
    {"", "8", Effect::restore_cursor, {"DECRC", pass, "brings them back", "ends DECSC"}},
    {"", "M", Effect::none, {"RI", pass, "moves up, scrolling", "less, vim"}},
    {"", "D", Effect::none, {"IND", pass, "moves down, scrolling", "full-screen programs"}},
    {"", "E", Effect::none, {"NEL", pass, "moves to the next line", "full-screen programs"}},
    {"", "H", Effect::tab_stops, {"HTS", pass, "sets a tab stop", "the tabs command"}},
    {"", "=", Effect::keypad_on, {"DECKPAM", pass, "keypad sends its own keys", "vim, less"}},
    {"", ">", Effect::keypad_off, {"DECKPNM", pass, "keypad sends digits", "ends DECKPAM"}},
    {"", "6", Effect::none, {"DECBI", pass, "moves left, scrolling", "only moves"}},
    {"", "9", Effect::none, {"DECFI", pass, "moves right, scrolling", "only moves"}},
    {"", "c", Effect::hard_reset, {"RIS", pass, "resets the terminal", "the reset command"}},
    {"#", "3456", Effect::none, {"DECDHL, DECDWL", pass, "letters of double size", "only draws"}},
    {"#", "8", Effect::align, {"DECALN", pass, "fills the screen with E", "only draws"}},
    {"#", "7", Effect::none, {"DECHCP", drop, "prints the screen", "reaches a printer"}},
    {"%",
     "",
     Effect::none,
     {"DOCS", drop, "leaves or enters UTF-8",
      "outside UTF-8, bytes that the filter read as characters become controls"}},
    {" ",
     "FGLMN",
     Effect::none,
     {"S7C1T, S8C1T, ACS", drop, "8-bit answers, conformance of character sets",
      "changes how answers and later bytes are read"}},
    {"",
     "Z",
     Effect::none,
     {"DECID", drop, "asks for the kind of terminal", "older than DA1, which passes"}},
    {"",
     "NO",
     Effect::none,
     {"SS2, SS3", drop, "one character from G2 or G3", "8-bit sets; nothing with UTF-8 sends it"}},
    {"",
     "no|}~",
     Effect::none,
     {"LS2, LS3, LS1R, LS2R, LS3R", drop, "draws with other sets", "nothing with UTF-8 sends it"}},
    {"",
     "lm",
     Effect::none,
     {"memory lock", drop, "locks the lines above the cursor", "no sequence says how to undo it"}},
    {"", "VW", Effect::none, {"SPA, EPA", drop, "protects text", "no program needs it"}},
    {"", "\\", Effect::none, {"ST", drop, "ends a string", "there is none to end"}},
};

constexpr StringRule kStrings[] = {
    {'P',
     {"DCS", drop,
      "device control: settings read back (DECRQSS, XTGETTCAP), function keys, fonts, sixel "
      "pictures, sequences wrapped for tmux or screen",
      "answers with text that programs choose, redefines keys; decoders of pictures are a target"}},
    {'X', {"SOS", drop, "a string without meaning", "terminals disagree about its end"}},
    {'^', {"PM", drop, "a private message", "terminals disagree about its end"}},
    {'_',
     {"APC", drop, "commands to the terminal: kitty graphics, tmux titles",
      "can make the terminal read files and answer"}},
    {'k',
     {"ESC k", drop, "sets the title of a tmux or screen window",
      "terminals without it show the title as text; OSC 2 does the same"}},
};

}  // namespace

std::span<const ControlRule> control_rules() { return kControls; }
std::span<const EscapeRule> escape_rules() { return kEscapes; }
std::span<const StringRule> string_rules() { return kStrings; }

const ControlRule* find_control(unsigned char byte) {
  const auto* found = std::ranges::find(kControls, byte, &ControlRule::byte);
  return found == std::end(kControls) ? nullptr : found;
}

const EscapeRule* find_escape(std::string_view body) {
  std::string_view intermediates = body.substr(0, body.size() - 1);
  for (const EscapeRule& row : kEscapes) {
    if (row.intermediates != intermediates) continue;
    if (row.finals.empty() || row.finals.find(body.back()) != std::string_view::npos) return &row;
  }
  return nullptr;
}

bool holds_number(std::string_view numbers, unsigned number) {
  if (numbers.empty()) return true;
  size_t at = 0;
  auto next = [&] {
    unsigned value = 0;
    while (at < numbers.size() && numbers[at] >= '0' && numbers[at] <= '9')
      value = value * 10 + static_cast<unsigned>(numbers[at++] - '0');
    return value;
  };
  while (at < numbers.size()) {
    unsigned low = next(), high = low;
    if (at < numbers.size() && numbers[at] == '-') {
      at++;
      high = next();
    }
    if (number >= low && number <= high) return true;
    at++;  // the blank
  }
  return false;
}

}  // namespace ringwall::terminal
