// The rows of sequences.h for operating system commands: OSC, number, text, ST or BEL.
#include <algorithm>

#include "terminal/sequences.h"

namespace ringwall::terminal {
namespace {

using enum Verdict;

constexpr OscRule kRows[] = {
    {"0 1 2",
     OscText::title,
     {"title", pass, "sets the title of window and icon",
      "every agent; without controls, cut to a bounded length, and never read back"}},
    {"4",
     OscText::palette,
     {"palette", pass, "sets or asks for one of 256 colours", "themes; undone at the end"}},
    {"104", OscText::palette_reset, {"palette reset", pass, "normal colours again", "ends OSC 4"}},
    {"10 11 12",
     OscText::dynamic_colour,
     {"colours", pass, "sets or asks for text, background and cursor",
      "vim, Codex, Gemini ask whether the background is dark"}},
    {"110 111 112",
     OscText::dynamic_colour_reset,
     {"colours reset", pass, "normal colours again", "ends OSC 10, 11, 12"}},
    {"8",
     OscText::hyperlink,
     {"hyperlink", pass, "makes text a link, to http and https only",
      "Ink, gcc; other schemes start other programs, so such a link is closed instead"}},
    {"9",
     OscText::message_or_progress,
     {"message, progress", pass, "shows a message; with 4, a progress bar",
      "agents call the person; a number first would be a command of ConEmu and is dropped"}},
    {"777",
     OscText::named_message,
     {"message", pass, "shows a message, as notify;TITLE;TEXT", "agents call the person"}},
    {"99",
     OscText::structured_message,
     {"message", pass, "shows a message of kitty: i, d, p, a, u and o in plain values only",
      "agents call the person; reports, buttons and icons do not pass"}},
    {"133",
     OscText::prompt_mark,
     {"prompt mark", pass, "marks prompt, command and its status", "shells inside"}},
    {"52",
     OscText::clipboard,
     {"clipboard", grantable, "writes the clipboard; reading it never passes",
      "what is pasted next would be the program's; reading gives away what was copied"}},

    {"3",
     OscText::none,
     {"X property", drop, "sets a property of the window", "outside the screen"}},
    {"5 105", OscText::none, {"special colours", drop, "colours of bold and the like", "unused"}},
    {"6", OscText::none, {"document", drop, "tab colour, or a file of the window", "names a file"}},
    {"7",
     OscText::none,
     {"working folder", drop, "tells the terminal a folder",
      "new tabs would open in a folder that the program chose"}},
    {"13-19 113-119",
     OscText::none,
     {"other colours", drop, "pointer, selection, Tektronix", "hides what is selected"}},
    {"21", OscText::none, {"kitty colours", drop, "sets and reads colours", "OSC 4 to 12 do"}},
    {"22", OscText::none, {"pointer shape", drop, "changes the mouse pointer", "the person's"}},
    {"46", OscText::none, {"log file", drop, "writes output to a file", "writes a file outside"}},
    {"50",
     OscText::none,
     {"font", drop, "sets or reads the font", "the answer is typed as input (CVE-2022-45063)"}},
    {"51",
     OscText::none,
     {"editor command", drop, "calls functions of vim or Emacs", "runs code outside"}},
    {"60 61", OscText::none, {"features", drop, "reads allowed features", "unused"}},
    {"66", OscText::none, {"text size", drop, "text of several cells", "terminals disagree"}},
    {"176", OscText::none, {"application id", drop, "changes the window's name", "the person's"}},
    {"555", OscText::none, {"flash", drop, "flashes the screen", "the bell does"}},
    {"633",
     OscText::none,
     {"VS Code", drop, "tells the editor which command ran, and where",
      "the editor offers to run it again"}},
    {"697", OscText::none, {"Fig", drop, "drives a completion program", "acts outside"}},
    {"701-739",
     OscText::none,
     {"urxvt", drop, "locale, fonts, pictures as background", "reads files outside"}},
    {"1337",
     OscText::none,
     {"iTerm2", drop, "files, clipboard, variables, profiles, pictures", "acts outside"}},
    {"5522", OscText::none, {"clipboard of kitty", drop, "reads and writes it", "reads it"}},
    {"5113", OscText::none, {"files of kitty", drop, "transfers files", "acts outside"}},
    {"9001", OscText::none, {"Windows Terminal", drop, "acts of the terminal", "acts outside"}},
    {"30001 30101", OscText::none, {"colour stack", drop, "keeps all colours", "not undone"}},
};

}  // namespace

std::span<const OscRule> osc_rules() { return kRows; }

const OscRule* find_osc(unsigned number) {
  const auto* found = std::ranges::find_if(
      kRows, [&](const OscRule& row) { return holds_number(row.numbers, number); });
  return found == std::end(kRows) ? nullptr : found;
}

}  // namespace ringwall::terminal
