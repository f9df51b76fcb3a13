#include "terminal/sequence_reference.h"

#include <algorithm>
#include <cstdio>

#include "terminal/filter.h"
#include "terminal/sequences.h"

namespace ringwall::terminal {
namespace {

// "5 6 20-24" as alternatives.
std::string one_of(std::string_view numbers) {
  std::string out(numbers);
  std::ranges::replace(out, ' ', '/');
  return out;
}

// Code within a Markdown table: a bar would end the cell, a backquote the code.
std::string as_code(const std::string& text) {
  std::string out;
  for (char c : text)
    out += c == '|' ? "\\|" : std::string(1, c);
  return out.find('`') == std::string::npos ? "`" + out + "`" : "`` " + out + " ``";
}

std::string_view in_words(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return "passes";
    case Verdict::drop:
      return "dropped";
    case Verdict::grantable:
      return "dropped, can be granted";
  }
  return "";
}

std::string row(const std::string& shape, const Rule& rule) {
  return "| " + std::string(rule.name) + " | " + shape + " | " +
         std::string(in_words(rule.verdict)) + " | " + std::string(rule.what) + " | " +
         std::string(rule.why) + " |\n";
}

std::string heading(const std::string& title, const std::string& text) {
  return "\n## " + title + "\n\n" + text +
         "\n\n| name | sequence | | what it does | why |\n| --- | --- | --- | --- | --- |\n";
}

std::string shape_of(const ControlRule& control) {
  char hex[8];
  snprintf(hex, sizeof hex, "0x%02x", control.byte);
  return as_code(hex);
}

std::string shape_of(const EscapeRule& escape) {
  std::string out = "ESC";
  if (!escape.intermediates.empty())
    out += " " + (escape.intermediates == " " ? "SP" : std::string(escape.intermediates));
  if (escape.finals.empty()) return as_code(out + " …");
  std::string finals;
  for (char final : escape.finals)
    finals += (finals.empty() ? "" : "/") + std::string(1, final);
  return as_code(out + " " + finals);
}

std::string shape_of(const CsiRule& csi) {
  std::string out = "CSI";
  std::string_view form = csi.form;
  if (form.size() > 1 && form[0] >= '<' && form[0] <= '?') {
    out += std::string(" ") + form[0];
    form.remove_prefix(1);
  }
  if (!csi.numbers.empty()) {
    out += " " + one_of(csi.numbers);
  } else if (csi.most > 0) {
    out += " Ps";
  }
  if (csi.most > 1) out += csi.most == 2 ? " ; Ps" : " ; …";
  for (char c : form)
    out += c == ' ' ? " SP" : std::string(" ") + c;
  return as_code(out);
}

std::string shape_of(const ModeRule& mode) {
  return as_code((mode.marker != 0 ? "? " : "") + std::to_string(mode.number));
}

constexpr std::string_view kIntroduction =
    "# What reaches the terminal\n\n"
    "Made by `make docs` from `src/terminal/sequences*.cc`, by which the filter judges as well; "
    "change those, not this page.\n\n"
    "A program inside writes to a terminal of its own. What it writes is filtered on its way to "
    "the person's terminal, because a terminal is a machine that obeys: it can be told to give "
    "away the clipboard, to print, to resize its window, and to answer questions, and its answers "
    "arrive as if they were typed.\n\n"
    "- Text passes as it is. Bytes that are no UTF-8 become U+FFFD, which a terminal would show "
    "for them.\n"
    "- A sequence is held until it is complete and then judged by these tables. It passes whole, "
    "or it is dropped to its end. What stands in no table is dropped.\n"
    "- C1 controls (0x80 to 0x9f, as bytes and as UTF-8) are never passed: terminals disagree "
    "about them. A terminal reads UTF-8 if the locale's charset says so, or where none is named, "
    "if it has the flag IUTF8. Where a run is shown on one that does not, these bytes are dropped "
    "from text, or characters beyond ASCII become question marks.\n"
    "- A control inside a sequence is obeyed before it. CAN, SUB, ESC and C1 controls end what "
    "they interrupt; it is dropped.\n";

std::string limits() {
  return "- At most " + std::to_string(kLongestControl) +
         " bytes of a control sequence are held, " + std::to_string(kLongestCommand) +
         " of a command and " + std::to_string(kLongestClipboard) +
         " of one that writes the clipboard; what is longer is dropped. So are control sequences "
         "with more than " +
         std::to_string(kMostParameters) + " numbers, or with one above 65535.\n" +
         "- When the program is gone, or somebody detaches, everything that is still switched on "
         "is switched off again.\n"
         "- While the keyboard is somebody else's (a run in the background of a shell, or beside a "
         "pager; a recording that is played there or into a pipe), nothing passes that asks the "
         "terminal, lets it speak, changes what keys send, or resets that: the shell would get it. "
         "It is switched on when the keyboard comes.\n";
}

std::string commands() {
  std::string out =
      heading("Commands to the terminal",
              "`OSC`, a number, a text, then `BEL` or `ST`. `OSC` is `ESC ]`, `ST` is "
              "`ESC \\`.");
  for (const OscRule& osc : osc_rules())
    out += row(as_code("OSC " + one_of(osc.numbers)), osc.rule);
  return out + "| any other | `OSC …` | dropped | | what is not known cannot be judged |\n" +
         "| palette of the Linux console | `OSC P`, `OSC R` | dropped | sets and resets colours | "
         "other terminals wait for an end that never comes |\n";
}

}  // namespace

std::string sequence_page() {
  std::string page = std::string(kIntroduction) + limits();
  page += heading("Controls", "Single bytes. Those that are not listed are dropped.");
  for (const ControlRule& control : control_rules())
    page += row(shape_of(control), control.rule);
  page += heading("Escape sequences", "`ESC` and the bytes shown; `A/B` is A or B.");
  for (const EscapeRule& escape : escape_rules())
    page += row(shape_of(escape), escape.rule);
  page += heading("Control sequences",
                  "`CSI` is `ESC [`. The first row that fits decides; `Ps` is any number or none.");
  for (const CsiRule& csi : csi_rules())
    page += row(shape_of(csi), csi.rule);
  page += heading("Modes",
                  "Switched by `CSI … h` and `CSI … l`. From a list of several, those that may not "
                  "pass are taken out; those that are not listed here may not.");
  for (const ModeRule& mode : mode_rules())
    page += row(shape_of(mode), mode.rule);
  page += commands();
  page += heading("Strings", "They end with `ST`. Nothing of them passes.");
  for (const StringRule& string : string_rules())
    page += row(as_code(std::string("ESC ") + string.opener + " … ST"), string.rule);
  return page;
}

}  // namespace ringwall::terminal
