#include "probes/terminal_output.h"

#include <algorithm>
#include <cstdio>
#include <optional>

namespace ringwall::probes {
namespace {

constexpr bool kHostile = true;
constexpr bool kHarmless = false;

// What a clipboard would hold afterwards: "hi".
constexpr TerminalSequence kSequences[] = {
    {"clipboard write", "\x1b]52;c;aGk=\a", kHostile},
    {"clipboard write, ended by ST", "\x1b]52;c;aGk=\x1b\\", kHostile},
    {"clipboard read", "\x1b]52;c;?\a", kHostile},
    {"primary selection read", "\x1b]52;p;?\x1b\\", kHostile},
    {"clipboard write by a C1 byte", "\23552;c;aGk=\x9c", kHostile},
    {"clipboard write by C1 in UTF-8", "\302\23552;c;aGk=\xc2\x9c", kHostile},
    {"clipboard write after a cancelled one", "\x1b]52;c;\x18\x1b]52;c;aGk=\a", kHostile},
    {"clipboard write within a title", "\x1b]2;a\x1b]52;c;aGk=\a", kHostile},
    {"clipboard of kitty", "\x1b]5522;type=read;Lg==\x1b\\", kHostile},
    {"settings read by DCS", "\x1bP$qm\x1b\\", kHostile},
    {"settings read by C1 DCS", "\x90$qm\x9c", kHostile},
    {"termcap read by DCS", "\x1bP+q544e\x1b\\", kHostile},
    {"keys redefined by DCS", "\x1bP1;1|17/68690d\x1b\\", kHostile},
    {"a sequence wrapped for tmux", "\x1bPtmux;\x1b\x1b]52;c;aGk=\a\x1b\\", kHostile},
    {"a sixel picture", "\x1bPq#0;2;0;0;0#0!4~\x1b\\", kHostile},
    {"a file read by APC", "\x1b_Ga=T,t=f;L2V0Yy9wYXNzd2Q=\x1b\\", kHostile},
    {"a private message", "\x1b^text\x1b\\", kHostile},
    {"a string without meaning", "\x1bXtext\x1b\\", kHostile},
    {"answer-back", "\x05", kHostile},
    {"answer-back within a sequence", "\x1b[\00521t", kHostile},
    {"title report", "\x1b[21t", kHostile},
    {"title report by a C1 byte", "\23321t", kHostile},
    {"title report by C1 in UTF-8", "\302\23321t", kHostile},
    {"icon name report", "\x1b[20t", kHostile},
    {"window iconified", "\x1b[2t", kHostile},
    {"window moved", "\x1b[3;0;0t", kHostile},
    {"printer on", "\x1b[5i", kHostile},
    {"screen printed", "\x1b[?1i", kHostile},
    {"screen read by checksums", "\x1b[1;1;1;1;1;1*y", kHostile},
    {"cursor and tabs read back", "\x1b[2$w", kHostile},
    {"number of the unit", "\x1b[=c", kHostile},
    {"a macro run", "\x1b[1*z", kHostile},
    {"font read", "\x1b]50;?\a", kHostile},
    {"log file", "\x1b]46;/tmp/log\a", kHostile},
    {"editor command", "\x1b]51;[\"call\",\"x\",[]]\a", kHostile},
    {"a file by iTerm2", "\x1b]1337;File=name=eA==:aGk=\a", kHostile},
    {"UTF-8 left", "\x1b%@", kHostile},

    {"colours", "\x1b[1;38;2;10;20;30;48;5;17m", kHarmless},
    {"plain again", "\x1b[0m", kHarmless},
    {"text of many scripts", "\xc3\xa9 \xe6\xbc\xa2 \xf0\x9f\x98\x80 \xd0\x9d", kHarmless},
    {"alternate screen", "\x1b[?1049h", kHarmless},
    {"cursor moved", "\x1b[2;3H", kHarmless},
    {"line cleared", "\x1b[K", kHarmless},
    {"main screen", "\x1b[?1049l", kHarmless},
    {"bracketed paste", "\x1b[?2004h", kHarmless},
    {"bracketed paste off", "\x1b[?2004l", kHarmless},
    {"mouse", "\x1b[?1000;1006h", kHarmless},
    {"mouse off", "\x1b[?1000;1006l", kHarmless},
    {"kitty keyboard", "\x1b[>1u", kHarmless},
    {"kitty keyboard off", "\x1b[<u", kHarmless},
    {"line drawing", "\x1b(0lqk\x1b(B", kHarmless},
    {"a title", "\x1b]2;title\a", kHarmless},
    {"a link", "\x1b]8;;https://example.org/\x1b\\link\x1b]8;;\x1b\\", kHarmless},
    {"kind of terminal asked", "\x1b[c", kHarmless},
    {"cursor asked", "\x1b[6n", kHarmless},
    {"background asked", "\x1b]11;?\x1b\\", kHarmless},
    {"keyboard asked", "\x1b[?u", kHarmless},
};

enum class Delivery : char { whole = 'w', bytewise = 'b' };
constexpr Delivery kDeliveries[] = {Delivery::whole, Delivery::bytewise};

std::string mark(Delivery delivery, size_t index) {
  return std::string(1, static_cast<char>(delivery)) + std::to_string(index);
}
std::string opening(Delivery delivery, size_t index) { return "{" + mark(delivery, index) + "<"; }
std::string closing(Delivery delivery, size_t index) { return ">" + mark(delivery, index) + "}"; }

// As printf of a shell takes it: every byte by its number.
std::string for_printf(std::string_view bytes) {
  std::string text;
  for (char c : bytes) {
    char octal[8];
    snprintf(octal, sizeof octal, "\\%03o", static_cast<unsigned>(static_cast<unsigned char>(c)));
    text += octal;
  }
  return text;
}

std::string print(std::string_view bytes) { return "printf '" + for_printf(bytes) + "'\n"; }

// Length of the character at the start, 0 if there is none that a terminal would show.
size_t shown_character(std::string_view bytes) {
  auto at = [&](size_t i) { return static_cast<unsigned char>(bytes[i]); };
  unsigned char first = at(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  bool whole = length != 0 && bytes.size() >= length;
  for (size_t i = 1; whole && i < length; i++)
    whole = (at(i) & 0xc0) == 0x80;
  if (whole) return first == 0xc2 && at(1) < 0xa0 ? 0 : length;
  // A letter of another character set; what lies below is a control there.
  return first >= 0xa0 ? 1 : 0;
}

// What arrived between the marks; nothing if they are not there. Cuts off what lies before.
std::optional<std::string_view> take_between(std::string_view& arrived, Delivery delivery,
                                             size_t index) {
  std::string before = opening(delivery, index), after = closing(delivery, index);
  size_t start = arrived.find(before);
  if (start == std::string_view::npos) return std::nullopt;
  size_t end = arrived.find(after, start + before.size());
  if (end == std::string_view::npos) return std::nullopt;
  std::string_view between = arrived.substr(start + before.size(), end - start - before.size());
  arrived.remove_prefix(end + after.size());
  return between;
}

struct Tally {
  std::vector<Act> acts;
  std::vector<std::string> through, lost;
};

void judge(Tally& tally, const TerminalSequence& sequence, Delivery delivery,
           std::optional<std::string_view> between) {
  std::string name(sequence.name);
  if (delivery == Delivery::bytewise) name += ", byte by byte";
  if (!between) {
    tally.lost.push_back("the text around: " + name);
  } else if (sequence.hostile) {
    bool stopped = is_only_text(*between);
    if (!stopped) tally.through.push_back(name);
    tally.acts.push_back({name, stopped ? "dropped" : ""});
  } else {
    bool there = *between == sequence.bytes;
    if (!there) tally.lost.push_back(name);
    tally.acts.push_back({name, there ? "passes" : "lost"});
  }
}

std::string few_of(const std::vector<std::string>& names) {
  constexpr size_t kMostNamed = 3;
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), kMostNamed); i++)
    text += (i == 0 ? "" : "; ") + names[i];
  if (names.size() > kMostNamed)
    text += "; and " + std::to_string(names.size() - kMostNamed) + " more";
  return text;
}

}  // namespace

std::span<const TerminalSequence> terminal_sequences() { return kSequences; }

bool is_only_text(std::string_view bytes) {
  while (!bytes.empty()) {
    size_t length = shown_character(bytes);
    if (length == 0) return false;
    bytes.remove_prefix(length);
  }
  return true;
}

std::vector<std::string> terminal_writes() {
  std::vector<std::string> writes;
  for (Delivery delivery : kDeliveries) {
    for (size_t i = 0; i < std::size(kSequences); i++) {
      std::string_view bytes = kSequences[i].bytes;
      writes.push_back(opening(delivery, i));
      size_t step = delivery == Delivery::whole ? bytes.size() : 1;
      for (size_t at = 0; at < bytes.size(); at += step)
        writes.emplace_back(bytes.substr(at, step));
      writes.push_back(closing(delivery, i));
    }
  }
  return writes;
}

std::string terminal_script() {
  std::string script = "stty -icanon -echo min 0 time 30\n";
  for (const std::string& piece : terminal_writes())
    script += print(piece);
  script += print(kTerminalQuestion);
  script += "answer=$(dd bs=64 count=1 2>/dev/null)\ncase $answer in\n";
  script += "*'?62;22c') " + print(kTerminalAnswered) + ";;\n*) " + print(kTerminalUnanswered) +
            ";;\nesac\nexec sleep 600\n";
  return script;
}

Verdict judge_terminal_output(std::string_view arrived) {
  Tally tally;
  std::string_view rest = arrived;
  for (Delivery delivery : kDeliveries) {
    for (size_t i = 0; i < std::size(kSequences); i++) {
      std::string_view before = rest;
      auto between = take_between(rest, delivery, i);
      judge(tally, kSequences[i], delivery, between);
      // A sequence may have been held back and come late, between two others.
      size_t gap = before.find(opening(delivery, i));
      if (between && !is_only_text(before.substr(0, gap)) && (i > 0 || delivery != kDeliveries[0]))
        tally.through.push_back("before: " + std::string(kSequences[i].name));
    }
  }
  if (rest.find(kTerminalQuestion) == std::string_view::npos)
    tally.lost.push_back("the question what terminal it is");
  else if (rest.find(kTerminalAnswered) == std::string_view::npos)
    tally.lost.push_back("the terminal's answer");
  if (!tally.through.empty())
    return {Finding::breached, "got through: " + few_of(tally.through), tally.acts};
  if (!tally.lost.empty()) return {Finding::breached, "lost: " + few_of(tally.lost), tally.acts};
  auto hostile = static_cast<size_t>(std::ranges::count_if(kSequences, &TerminalSequence::hostile));
  return {Finding::held,
          std::to_string(hostile) + " kinds dropped, " +
              std::to_string(std::size(kSequences) - hostile) + " others pass",
          tally.acts};
}

}  // namespace ringwall::probes
