// The rows of sequences.h for control sequences: CSI, parameters, final byte.
#include <array>

#include "terminal/sequences.h"

namespace ringwall::terminal {
namespace {

using enum Verdict;

constexpr std::string_view kAnswersInput = "the answer holds text of others, typed as input";
constexpr std::string_view kOwnWindow = "the window is the person's, not the program's";
constexpr std::string_view kOnlyDraws = "only draws";
constexpr std::string_view kNobody = "no program in use needs it";
constexpr uint8_t kMany = kMostParameters;

constexpr CsiRule kRows[] = {
    // Drawing.
    {"m", "", 0, kMany, Effect::colours, {"SGR", pass, "colours and attributes", "every program"}},
    {"H", "", 0, 2, Effect::none, {"CUP", pass, "moves the cursor", "every full-screen program"}},
    {"f", "", 0, 2, Effect::none, {"HVP", pass, "moves the cursor", "as CUP"}},
    {"A", "", 0, 1, Effect::none, {"CUU", pass, "cursor up", "every full-screen program"}},
    {"B", "", 0, 1, Effect::none, {"CUD", pass, "cursor down", "every full-screen program"}},
    {"C", "", 0, 1, Effect::none, {"CUF", pass, "cursor right", "every full-screen program"}},
    {"D", "", 0, 1, Effect::none, {"CUB", pass, "cursor left", "every full-screen program"}},
    {"E", "", 0, 1, Effect::none, {"CNL", pass, "start of a line below", "Ink"}},
    {"F", "", 0, 1, Effect::none, {"CPL", pass, "start of a line above", "Ink"}},
    {"G", "", 0, 1, Effect::none, {"CHA", pass, "cursor to a column", "Ink, readline"}},
    {"`", "", 0, 1, Effect::none, {"HPA", pass, "cursor to a column", "curses"}},
    {"a", "", 0, 1, Effect::none, {"HPR", pass, "cursor right", kOnlyDraws}},
    {"d", "", 0, 1, Effect::none, {"VPA", pass, "cursor to a line", "curses"}},
    {"e", "", 0, 1, Effect::none, {"VPR", pass, "cursor down", kOnlyDraws}},
    {"I", "", 0, 1, Effect::none, {"CHT", pass, "forward by tab stops", "curses"}},
    {"Z", "", 0, 1, Effect::none, {"CBT", pass, "back by tab stops", "curses"}},
    {"J",
     "0-3",
     0,
     1,
     Effect::none,
     {"ED", pass, "clears the screen, with 3 what scrolled away", "clear, Ink"}},
    {"K", "0-2", 0, 1, Effect::none, {"EL", pass, "clears the line", "every program"}},
    {"?J", "0-2", 0, 1, Effect::none, {"DECSED", pass, "clears what is not protected", kOnlyDraws}},
    {"?K", "0-2", 0, 1, Effect::none, {"DECSEL", pass, "clears what is not protected", kOnlyDraws}},
    {"@", "", 0, 1, Effect::none, {"ICH", pass, "inserts blanks", "curses"}},
    {"L", "", 0, 1, Effect::none, {"IL", pass, "inserts lines", "vim, curses"}},
    {"M", "", 0, 1, Effect::none, {"DL", pass, "deletes lines", "vim, curses"}},
    {"P", "", 0, 1, Effect::none, {"DCH", pass, "deletes characters", "readline, curses"}},
    {"X", "", 0, 1, Effect::none, {"ECH", pass, "erases characters", "tmux, curses"}},
    {"b", "", 0, 1, Effect::none, {"REP", pass, "repeats a character", "curses, tmux"}},
    {"S", "", 0, 1, Effect::none, {"SU", pass, "scrolls up", "vim, tmux, Codex"}},
    {"T", "", 0, 1, Effect::none, {"SD", pass, "scrolls down", "vim, tmux, Codex"}},
    {" @", "", 0, 1, Effect::none, {"SL", pass, "scrolls to the left", kOnlyDraws}},
    {" A", "", 0, 1, Effect::none, {"SR", pass, "scrolls to the right", kOnlyDraws}},
    {"'}", "", 0, 1, Effect::none, {"DECIC", pass, "inserts columns", kOnlyDraws}},
    {"'~", "", 0, 1, Effect::none, {"DECDC", pass, "deletes columns", kOnlyDraws}},
    {"$x", "32-126 160-255", 1, 5, Effect::none, {"DECFRA", pass, "fills a rectangle", "tmux"}},
    {"$z", "", 0, 4, Effect::none, {"DECERA", pass, "erases a rectangle", kOnlyDraws}},
    {"${", "", 0, 4, Effect::none, {"DECSERA", pass, "erases a rectangle", kOnlyDraws}},
    {"$v", "", 0, 8, Effect::none, {"DECCRA", pass, "copies a rectangle", kOnlyDraws}},
    {"$r", "", 0, kMany, Effect::none, {"DECCARA", pass, "colours a rectangle", kOnlyDraws}},
    {"$t", "", 0, kMany, Effect::none, {"DECRARA", pass, "colours a rectangle", kOnlyDraws}},
    // State that is undone when the program leaves.
    {"r", "", 0, 2, Effect::rows, {"DECSTBM", pass, "scrolls only some lines", "vim, Codex"}},
    {"s",
     "",
     0,
     2,
     Effect::columns_or_save,
     {"SCOSC, DECSLRM", pass, "keeps the cursor; with numbers, scrolls only some columns",
      "line editors; tmux"}},
    {"u", "", 0, 0, Effect::restore_cursor, {"SCORC", pass, "brings the cursor back", "SCOSC"}},
    {"g", "0 3", 0, 1, Effect::tab_stops, {"TBC", pass, "clears tab stops", "the tabs command"}},
    {"?W", "5", 1, 1, Effect::tab_stops, {"DECST8C", pass, "tab stops as usual", "reset"}},
    {"h", "", 1, kMany, Effect::set_modes, {"SM", pass, "switches modes on", "table of modes"}},
    {"l", "", 1, kMany, Effect::reset_modes, {"RM", pass, "switches modes off", "table of modes"}},
    {"?h", "", 1, kMany, Effect::set_modes, {"DECSET", pass, "modes on", "table of modes"}},
    {"?l", "", 1, kMany, Effect::reset_modes, {"DECRST", pass, "modes off", "table of modes"}},
    {"!p", "", 0, 0, Effect::soft_reset, {"DECSTR", pass, "soft reset", "reset, tput init"}},
    {" q", "0-6", 0, 1, Effect::cursor_style, {"DECSCUSR", pass, "shape of the cursor", "vim"}},
    {"?c",
     "0-16",
     1,
     3,
     Effect::console_cursor,
     {"console cursor", pass, "shape of the cursor", "programs on the Linux console"}},
    {">u",
     "0-31",
     0,
     1,
     Effect::keyboard_push,
     {"keyboard push", pass, "kitty keyboard protocol on", "Claude Code, Codex, Gemini, vim"}},
    {"<u", "", 0, 1, Effect::keyboard_pop, {"keyboard pop", pass, "and off again", "its end"}},
    {"=u",
     "0-31",
     1,
     2,
     Effect::keyboard_set,
     {"keyboard set", pass, "changes what is on", "kitty keyboard protocol"}},
    {">m",
     "4",
     1,
     2,
     Effect::other_keys,
     {"XTMODKEYS", pass, "reports modified keys (modifyOtherKeys)", "vim, tmux, Claude Code"}},
    {">n",
     "4",
     1,
     1,
     Effect::other_keys_off,
     {"XTMODKEYS off", pass, "modifyOtherKeys off", "its end"}},
    {"t", "22", 1, 3, Effect::title_push, {"title push", pass, "keeps the title", "vim, less"}},
    {"t", "23", 1, 3, Effect::title_pop, {"title pop", pass, "brings it back", "vim, less"}},
    // Questions whose answers hold nothing but numbers, or the terminal's own name.
    {"c", "0", 0, 1, Effect::query, {"DA1", pass, "what can it do?", "tmux, fish, Codex"}},
    {">c", "0", 0, 1, Effect::query, {"DA2", pass, "which version?", "vim, tmux"}},
    {"n", "5 6", 1, 1, Effect::query, {"DSR, CPR", pass, "where is the cursor?", "Ink, Codex"}},
    {"?n",
     "6 996",
     1,
     1,
     Effect::query,
     {"DECXCPR, colour scheme", pass, "where is the cursor? dark or light?", "neovim"}},
    {"$p", "", 1, 1, Effect::query, {"DECRQM, ANSI", pass, "is this mode on?", "neovim"}},
    {"?$p", "", 1, 1, Effect::query, {"DECRQM", pass, "is this mode on?", "neovim"}},
    {">q", "0", 0, 1, Effect::query, {"XTVERSION", pass, "which terminal?", "tmux, Claude Code"}},
    {"?u", "", 0, 0, Effect::query, {"keyboard query", pass, "which protocol?", "Codex, Gemini"}},
    {"?m", "4", 1, 1, Effect::query, {"XTQMODKEYS", pass, "is modifyOtherKeys on?", "vim"}},
    {"t",
     "14 16 18",
     1,
     2,
     Effect::query,
     {"size reports", pass, "how large is the window, a cell?", "tmux, programs with pictures"}},
    // Dropped: answers that others can choose, and acts outside the screen.
    {"t",
     "20 21",
     0,
     kMany,
     Effect::none,
     {"title reports", drop, "sends the title back", "a title becomes typed input"}},
    {"t",
     "1-10",
     0,
     kMany,
     Effect::none,
     {"window moves", drop, "moves, resizes, raises, iconifies the window", kOwnWindow}},
    {"t",
     "11 13 15 19",
     0,
     kMany,
     Effect::none,
     {"window reports", drop, "where is the window, and is it iconified?", kOwnWindow}},
    {"t", "", 0, kMany, Effect::none, {"DECSLPP", drop, "changes the number of lines", kOwnWindow}},
    {"i",
     "",
     0,
     kMany,
     Effect::none,
     {"MC", drop, "prints, or passes all output on to a printer", "reaches a printer"}},
    {"?i",
     "",
     0,
     kMany,
     Effect::none,
     {"DEC MC", drop, "prints, or passes all output on to a printer", "reaches a printer"}},
    {"*y",
     "",
     0,
     kMany,
     Effect::none,
     {"DECRQCRA", drop, "checksums of the screen, cell by cell",
      "reads what stood there before the program came"}},
    {"#y",
     "",
     0,
     kMany,
     Effect::none,
     {"XTCHECKSUM", drop, "how those checksums are made", "belongs to DECRQCRA"}},
    {"$w",
     "",
     0,
     kMany,
     Effect::none,
     {"DECRQPSR", drop, "reads cursor and tab stops back", kAnswersInput}},
    {"$u",
     "",
     0,
     kMany,
     Effect::none,
     {"DECRQTSR", drop, "reads the terminal's state back", kAnswersInput}},
    {"&u",
     "",
     0,
     kMany,
     Effect::none,
     {"DECRQUPSS", drop, "reads the preferred character set back", kAnswersInput}},
    {"x",
     "",
     0,
     kMany,
     Effect::none,
     {"DECREQTPARM", drop, "reads the settings of the line back", kNobody}},
    {"=c",
     "",
     0,
     kMany,
     Effect::none,
     {"DA3", drop, "reads the number of the unit", "tells one terminal from others"}},
    {"n", "", 0, kMany, Effect::none, {"other DSR", drop, "other reports", kNobody}},
    {"?n",
     "",
     0,
     kMany,
     Effect::none,
     {"other DEC DSR", drop, "printer, locked keys, macros, locator", kNobody}},
    {"?S",
     "",
     0,
     kMany,
     Effect::none,
     {"XTSMGRAPHICS", drop, "reads or sets limits of pictures", "pictures do not pass"}},
    {"#|",
     "",
     0,
     kMany,
     Effect::none,
     {"XTREPORTSGR", drop, "reads the colours of a rectangle", "reads the screen"}},
    {"#{", "", 0, kMany, Effect::none, {"XTPUSHSGR", drop, "keeps the attributes", kNobody}},
    {"#}", "", 0, kMany, Effect::none, {"XTPOPSGR", drop, "brings them back", kNobody}},
    {"#P", "", 0, kMany, Effect::none, {"XTPUSHCOLORS", drop, "keeps the palette", kNobody}},
    {"#Q", "", 0, kMany, Effect::none, {"XTPOPCOLORS", drop, "brings it back", kNobody}},
    {"#R", "", 0, kMany, Effect::none, {"XTREPORTCOLORS", drop, "reads the stack", kNobody}},
    {">t",
     "",
     0,
     kMany,
     Effect::none,
     {"XTSMTITLE", drop, "how titles are read and reported", "titles in hexadecimal hide text"}},
    {">T", "", 0, kMany, Effect::none, {"XTRMTITLE", drop, "the same, off", "as XTSMTITLE"}},
    {"T",
     "",
     2,
     kMany,
     Effect::none,
     {"XTHIMOUSE", drop, "mouse tracking by highlighting", "stops the terminal until an answer"}},
    {">p",
     "",
     0,
     kMany,
     Effect::none,
     {"XTSMPOINTER", drop, "hides the mouse pointer", "the pointer is the person's"}},
    {">s",
     "",
     0,
     kMany,
     Effect::none,
     {"XTSHIFTESCAPE", drop, "takes shift and mouse for the program",
      "the person's way to select text"}},
    {">f", "", 0, kMany, Effect::none, {"XTFMTKEYS", drop, "another format of keys", kNobody}},
    {"?s",
     "",
     0,
     kMany,
     Effect::none,
     {"XTSAVE", drop, "keeps modes", "brings modes back that are not judged"}},
    {"?r", "", 0, kMany, Effect::none, {"XTRESTORE", drop, "brings modes back", "as XTSAVE"}},
    {"\"p",
     "",
     0,
     kMany,
     Effect::none,
     {"DECSCL", drop, "another level of conformance", "8-bit controls; a reset on the way"}},
    {"\"q", "", 0, kMany, Effect::none, {"DECSCA", drop, "protects text", kNobody}},
    {"*x", "", 0, kMany, Effect::none, {"DECSACE", drop, "extent of DECCARA", kNobody}},
    {"$|", "", 0, kMany, Effect::none, {"DECSCPP", drop, "number of columns", kOwnWindow}},
    {"*|", "", 0, kMany, Effect::none, {"DECSNLS", drop, "number of lines", kOwnWindow}},
    {"$}",
     "",
     0,
     kMany,
     Effect::none,
     {"DECSASD", drop, "writes to the status line", "outside the screen"}},
    {"$~", "", 0, kMany, Effect::none, {"DECSSDT", drop, "kind of status line", "as DECSASD"}},
    {"q",
     "",
     0,
     kMany,
     Effect::none,
     {"DECLL", drop, "lamps of the keyboard", "outside the screen"}},
    {" t", "", 0, kMany, Effect::none, {"DECSWBV", drop, "loudness of the bell", "the person's"}},
    {" u", "", 0, kMany, Effect::none, {"DECSMBV", drop, "loudness of the bell", "the person's"}},
    {"'z", "", 0, kMany, Effect::none, {"DECELR", drop, "reports of the locator", kNobody}},
    {"'{", "", 0, kMany, Effect::none, {"DECSLE", drop, "events of the locator", kNobody}},
    {"'|", "", 0, kMany, Effect::none, {"DECRQLP", drop, "asks the locator", kNobody}},
    {"'w", "", 0, kMany, Effect::none, {"DECEFR", drop, "rectangle of the locator", kNobody}},
    {"*z",
     "",
     0,
     kMany,
     Effect::none,
     {"DECINVM", drop, "runs a macro", "a macro is a sequence that nobody judged"}},
    {"y", "", 0, kMany, Effect::none, {"DECTST", drop, "tests the terminal", "resets it"}},
    {"]",
     "",
     0,
     kMany,
     Effect::none,
     {"Linux console", drop, "blanking, bell, which console is shown", "outside the screen"}},
};

// Rows with the same final byte form a chain, so that a look-up meets only those.
struct Chains {
  static constexpr uint8_t kEnd = 0xff;
  std::array<uint8_t, 128> first;
  std::array<uint8_t, std::size(kRows)> next;
};
static_assert(std::size(kRows) < Chains::kEnd);

consteval Chains make_chains() {
  Chains chains{};
  chains.first.fill(Chains::kEnd);
  for (size_t i = std::size(kRows); i-- > 0;) {
    uint8_t& first = chains.first[static_cast<size_t>(kRows[i].form.back())];
    chains.next[i] = first;
    first = static_cast<uint8_t>(i);
  }
  return chains;
}
constexpr Chains kChains = make_chains();

bool has_form(const ControlSequence& sequence, std::string_view form) {
  size_t at = 0;
  if (sequence.marker != 0 && form[at++] != sequence.marker) return false;
  if (sequence.intermediate != 0 && form[at++] != sequence.intermediate) return false;
  return at + 1 == form.size();
}

}  // namespace

std::span<const CsiRule> csi_rules() { return kRows; }

bool is_of_keyboard(Effect effect) {
  switch (effect) {
    case Effect::keypad_on:
    case Effect::keypad_off:
    case Effect::hard_reset:  // of these modes too
    case Effect::soft_reset:
    case Effect::keyboard_push:
    case Effect::keyboard_pop:
    case Effect::keyboard_set:
    case Effect::other_keys:
    case Effect::other_keys_off:
      return true;
    default:
      return false;
  }
}

const CsiRule* find_csi(const ControlSequence& sequence) {
  auto final = static_cast<size_t>(sequence.final);
  for (uint8_t i = kChains.first[final]; i != Chains::kEnd; i = kChains.next[i]) {
    const CsiRule& row = kRows[i];
    if (has_form(sequence, row.form) && sequence.count >= row.fewest &&
        sequence.count <= row.most && holds_number(row.numbers, sequence.value(0))) {
      return &row;
    }
  }
  return nullptr;
}

}  // namespace ringwall::terminal
