// The rows of sequences.h for modes: the numbers in CSI … h and CSI … l.
#include <algorithm>

#include "terminal/sequences.h"

namespace ringwall::terminal {
namespace {

using enum Verdict;
using enum ModeRole;

constexpr std::string_view kFullScreen = "every full-screen program";
constexpr std::string_view kMouse = "mouse, for tmux, htop, vim";
constexpr std::string_view kTheirWindow = "the window is the person's, not the program's";
constexpr std::string_view kTheirKeys = "the keyboard is the person's, not the program's";

constexpr ModeRule kModes[] = {
    {'?', 25, true, plain, {"DECTCEM", pass, "shows the cursor", kFullScreen}},
    {'?',
     2026,
     false,
     plain,
     {"synchronized update", pass, "shows a frame at once", "Claude Code, Codex"}},
    {'?', 1, false, keys, {"DECCKM", pass, "cursor keys of applications", kFullScreen}},
    {'?', 5, false, plain, {"DECSCNM", pass, "swaps the colours", "visible bells"}},
    {'?', 6, false, plain, {"DECOM", pass, "counts lines from the margin", "reset, tmux"}},
    {'?', 7, true, plain, {"DECAWM", pass, "wraps lines", "full-screen programs switch it off"}},
    {'?', 12, false, plain, {"cursor blinks", pass, "lets the cursor blink", "curses, vim"}},
    {'?', 45, false, plain, {"reverse wrap", pass, "BS moves up a line", "line editors"}},
    {'?', 47, false, alternate_screen, {"alternate screen", pass, "another screen", "old entries"}},
    {'?', 1047, false, alternate_screen, {"alternate screen", pass, "another screen", kFullScreen}},
    {'?',
     1049,
     false,
     alternate_screen,
     {"alternate screen", pass, "another screen, keeping the cursor", kFullScreen}},
    {'?', 1048, false, cursor_save, {"saved cursor", pass, "keeps the cursor", kFullScreen}},
    {'?', 66, false, keys, {"DECNKM", pass, "keypad of applications", "as ESC ="}},
    {'?', 69, false, plain, {"DECLRMM", pass, "margins at left and right", "tmux"}},
    {'?', 9, false, mouse_tracking, {"X10 mouse", pass, "reports clicks", kMouse}},
    {'?', 1000, false, mouse_tracking, {"mouse", pass, "reports buttons", kMouse}},
    {'?', 1002, false, mouse_tracking, {"mouse, dragged", pass, "reports dragging", kMouse}},
    {'?', 1003, false, mouse_tracking, {"mouse, all", pass, "reports every movement", kMouse}},
    {'?', 1005, false, mouse_encoding, {"mouse, UTF-8", pass, "larger numbers", kMouse}},
    {'?', 1006, false, mouse_encoding, {"mouse, SGR", pass, "larger numbers", kMouse}},
    {'?', 1015, false, mouse_encoding, {"mouse, urxvt", pass, "larger numbers", kMouse}},
    {'?', 1016, false, mouse_encoding, {"mouse, pixels", pass, "finer numbers", kMouse}},
    {'?',
     1004,
     false,
     reports,
     {"focus", pass, "reports when the window is left", "vim, Ink, tmux"}},
    {'?', 1007, false, keys, {"alternate scroll", pass, "wheel sends cursor keys", "Codex"}},
    {'?', 1034, false, keys, {"meta", pass, "Alt sets the high bit", "readline"}},
    {'?', 2004, false, keys, {"bracketed paste", pass, "marks pasted text", "shells, every agent"}},
    {'?', 2027, false, plain, {"grapheme clusters", pass, "widths of emoji", "neovim"}},
    {'?', 2031, false, reports, {"colour scheme", pass, "reports dark and light", "neovim, tmux"}},
    {'?', 2048, false, reports, {"size reports", pass, "reports the size on change", "neovim"}},
    {0, 4, false, plain, {"IRM", pass, "inserts instead of replacing", "curses"}},
    {0, 20, false, plain, {"LNM", pass, "LF goes to the start of the line", "old programs"}},

    {0, 2, false, plain, {"KAM", drop, "locks the keyboard", kTheirKeys}},
    {0, 3, false, plain, {"CRM", drop, "shows controls instead of obeying", "output is garbled"}},
    {0,
     12,
     true,
     plain,
     {"SRM", drop, "echoes what is typed", "shows passwords as they are typed"}},
    {0, 34, false, plain, {"WYULCURM", drop, "shape of the cursor", "DECSCUSR does the same"}},
    {'?', 2, true, plain, {"DECANM", drop, "becomes a VT52", "reads all that follows otherwise"}},
    {'?', 3, false, plain, {"DECCOLM", drop, "132 columns", kTheirWindow}},
    {'?', 40, false, plain, {"132 columns", drop, "allows DECCOLM", kTheirWindow}},
    {'?', 4, false, plain, {"DECSCLM", drop, "scrolls slowly", "slows the terminal down"}},
    {'?', 8, true, plain, {"DECARM", drop, "keys repeat", kTheirKeys}},
    {'?', 10, false, plain, {"toolbar", drop, "shows or hides it", kTheirWindow}},
    {'?', 18, false, plain, {"DECPFF", drop, "form feed after printing", "reaches a printer"}},
    {'?', 19, false, plain, {"DECPEX", drop, "prints the whole screen", "reaches a printer"}},
    {'?', 30, false, plain, {"scroll bar", drop, "shows or hides it", kTheirWindow}},
    {'?', 35, false, plain, {"font keys", drop, "changes fonts by keys", kTheirWindow}},
    {'?',
     38,
     false,
     plain,
     {"DECTEK", drop, "becomes a Tektronix", "reads what follows otherwise"}},
    {'?', 42, false, plain, {"DECNRCM", drop, "national sets", "reads characters otherwise"}},
    {'?', 46, false, plain, {"logging", drop, "writes output to a file", "writes a file outside"}},
    {'?', 67, false, plain, {"DECBKM", drop, "what backspace sends", kTheirKeys}},
    {'?', 80, false, plain, {"DECSDM", drop, "where pictures go", "pictures do not pass"}},
    {'?',
     1001,
     false,
     plain,
     {"mouse, highlight", drop, "tracks by highlighting", "stops the terminal until an answer"}},
    {'?', 1035, true, plain, {"Num Lock", drop, "modifier keys", kTheirKeys}},
    {'?', 1036, true, plain, {"Alt sends ESC", drop, "modifier keys", kTheirKeys}},
    {'?', 1037, false, plain, {"Delete", drop, "what Delete sends", kTheirKeys}},
    {'?', 1039, true, plain, {"Alt sends ESC", drop, "modifier keys", kTheirKeys}},
    {'?',
     1040,
     false,
     plain,
     {"keep selection", drop, "clipboard", "the clipboard is the person's"}},
    {'?', 1041, false, plain, {"selection", drop, "clipboard", "the clipboard is the person's"}},
    {'?', 1042, false, plain, {"urgent bell", drop, "calls the window manager", kTheirWindow}},
    {'?', 1043, false, plain, {"raising bell", drop, "raises the window", kTheirWindow}},
    {'?', 1046, true, plain, {"alternate screen", drop, "forbids it", kTheirWindow}},
    {'?', 1050, false, plain, {"function keys", drop, "other codes", kTheirKeys}},
    {'?', 1051, false, plain, {"function keys", drop, "other codes", kTheirKeys}},
    {'?', 1060, false, plain, {"old keyboard", drop, "other codes", kTheirKeys}},
    {'?', 1061, false, plain, {"VT220 keyboard", drop, "other codes", kTheirKeys}},
    {'?',
     5522,
     false,
     plain,
     {"paste events", drop, "offers the clipboard", "reads the clipboard"}},
    {'?', 9001, false, plain, {"win32 input", drop, "raw key events", kTheirKeys}},
};

}  // namespace

std::span<const ModeRule> mode_rules() { return kModes; }

bool makes_reports(ModeRole role) { return role == reports || role == mouse_tracking; }

bool is_of_keyboard(ModeRole role) {
  return makes_reports(role) || role == keys || role == mouse_encoding;
}

const ModeRule* find_mode(char marker, uint16_t number) {
  const auto* found = std::ranges::find_if(
      kModes, [&](const ModeRule& row) { return row.number == number && row.marker == marker; });
  return found == std::end(kModes) ? nullptr : found;
}

}  // namespace ringwall::terminal
