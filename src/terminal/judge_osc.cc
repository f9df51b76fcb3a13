// Operating system commands: each kind of text is checked by its own grammar, so that nothing in it
// can mean more to some terminal than it does here.
#include <algorithm>
#include <optional>

#include "terminal/character.h"
#include "terminal/judge.h"

namespace ringwall::terminal {

using Outcome = Ruling::Outcome;

namespace {

constexpr size_t kLongestShown = 512;  // bytes of a title or message
constexpr int kLastDynamic = 12;       // of the colours that may be set

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '-'; }
bool is_base64(char c) { return is_letter(c) || is_digit(c) || c == '+' || c == '/' || c == '='; }
bool is_printable(char c) { return c > 0x20 && c < 0x7f; }

// Cuts `text` at the first `separator`; what follows it stays in `text`.
std::string_view cut(std::string_view& text, char separator) {
  size_t end = std::min(text.find(separator), text.size());
  std::string_view field = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return field;
}

// A decimal number of at most `most`, written without zeros in front.
std::optional<int> number_in(std::string_view text, int most) {
  if (text.empty() || text.size() > kMostDigits || !std::ranges::all_of(text, is_digit)) return {};
  if (text.size() > 1 && text[0] == '0') return {};
  int value = 0;
  for (char c : text)
    value = value * 10 + (c - '0');
  return value <= most ? std::optional(value) : std::nullopt;
}

// #RGB to #RRRRGGGGBBBB, rgb:R/G/B, rgba:R/G/B/A, or the name of a colour.
bool is_colour(std::string_view text) {
  if (text.starts_with('#')) {
    text.remove_prefix(1);
    return text.size() % 3 == 0 && text.size() >= 3 && text.size() <= 12 &&
           std::ranges::all_of(text, is_hex);
  }
  for (std::string_view scheme : {"rgb:", "rgba:"}) {
    if (!text.starts_with(scheme)) continue;
    text.remove_prefix(scheme.size());
    auto parts = std::ranges::count(text, '/') + 1;
    if (parts != static_cast<long>(scheme.size()) - 1 || text.ends_with('/')) return false;
    while (!text.empty()) {
      std::string_view part = cut(text, '/');
      if (part.empty() || part.size() > 4 || !std::ranges::all_of(part, is_hex)) return false;
    }
    return true;
  }
  return !text.empty() && text.size() <= 32 && is_letter(text[0]) &&
         std::ranges::all_of(text, [](char c) { return is_word(c) || c == ' '; });
}

// Characters that turn text around or break lines: a title must read as it was written.
bool turns_text(std::string_view character) {
  if (character == "\xd8\x9c") return true;
  if (character.size() != 3) return false;
  auto last = static_cast<unsigned char>(character[2]);
  if (character.starts_with("\xe2\x80"))
    return last == 0x8e || last == 0x8f || (last >= 0xa8 && last <= 0xae);
  return character.starts_with("\xe2\x81") && last >= 0xa6 && last <= 0xa9;
}

// Appends what may be shown of `text`, at most kLongestShown bytes of whole characters.
void append_shown(std::string& out, std::string_view text, bool utf8) {
  size_t start = out.size();
  while (!text.empty()) {
    auto first = static_cast<unsigned char>(text[0]);
    Character one{Character::Kind::valid, 1};
    if (first >= 0x80 && utf8) one = decode(text.data(), text.data() + text.size());
    std::string_view shown = text.substr(0, one.length);
    if (one.kind != Character::Kind::valid) shown = kShownForBroken;
    if (first < 0x20 || first == 0x7f || turns_text(shown)) shown = "";
    // In other encodings the end mark could be the second byte of a character.
    if (first >= 0x80 && !utf8) shown = "";
    if (first == '\n' || first == '\t') shown = " ";
    if (out.size() - start + shown.size() > kLongestShown) return;
    out += shown;
    text.remove_prefix(one.length);
  }
}

bool is_web_address(std::string_view text) {
  auto starts = [&](std::string_view scheme) {
    return text.size() > scheme.size() &&
           std::ranges::equal(text.substr(0, scheme.size()), scheme, [](char a, char b) {
             return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b;
           });
  };
  return (starts("http://") || starts("https://")) && std::ranges::all_of(text, is_printable);
}

// A, or D;0, or A;aid=1;k=s: other options make clicks into input or carry command lines.
bool is_prompt_mark(std::string_view text) {
  std::string_view mark = cut(text, ';');
  if (mark.size() != 1 || std::string_view("ABCDILNP").find(mark[0]) == std::string_view::npos)
    return false;
  while (!text.empty()) {
    std::string_view value = cut(text, ';');
    std::string_view name = value.find('=') == std::string_view::npos ? "" : cut(value, '=');
    bool known = name.empty() || name == "k" || name == "aid" || name == "redraw";
    if (!known || value.size() > 32 || !std::ranges::all_of(value, is_word)) return false;
  }
  return true;
}

// One setting of a kitty message, as "i=name".
bool is_plain_setting(std::string_view setting) {
  if (setting.size() < 3 || setting[1] != '=') return false;
  std::string_view value = setting.substr(2);
  switch (setting[0]) {
    case 'i':
      return value.size() <= 64 && std::ranges::all_of(value, is_word);
    case 'd':
      return value == "0" || value == "1";
    case 'p':
      return value == "title" || value == "body";
    case 'a':
      return value == "focus" || value == "-focus";
    case 'u':
      return value == "0" || value == "1" || value == "2";
    case 'o':
      return value == "always" || value == "unfocused" || value == "invisible";
    default:
      return false;
  }
}

}  // namespace

Ruling Judge::osc(std::string_view body, std::string_view end) {
  end_ = end;
  std::string_view text = body;
  std::string_view number = cut(text, ';');
  bool has_text = number.size() < body.size();
  auto value = number_in(number, UINT16_MAX);
  const OscRule* row = value ? find_osc(static_cast<unsigned>(*value)) : nullptr;
  if (row == nullptr) return {};
  switch (row->text) {
    case OscText::none:
      return {};
    case OscText::title:
      return has_text ? text_after(body.substr(0, number.size() + 1), text) : Ruling{};
    case OscText::palette:
      return palette(text);
    case OscText::palette_reset:
      return palette_reset(text);
    case OscText::dynamic_colour:
      return dynamic_colour(*value, text);
    case OscText::dynamic_colour_reset:
      if (!text.empty()) return {};
      modes_.reset_colour(kDynamicColour + *value - 100);
      if (!has_text) return {.outcome = Outcome::as_sent};
      instead_ = "\x1b]" + std::string(number) + std::string(end);
      return {.outcome = Outcome::instead};
    case OscText::hyperlink:
      return hyperlink(text);
    case OscText::message_or_progress:
      return message_or_progress(text);
    case OscText::named_message:
      return named_message(text);
    case OscText::structured_message:
      return structured_message(text);
    case OscText::prompt_mark:
      return {.outcome = is_prompt_mark(text) ? Outcome::as_sent : Outcome::drop};
    case OscText::clipboard:
      return clipboard(text);
  }
  return {};
}

Ruling Judge::overlong_osc(std::string_view start) {
  end_ = "\x1b\\";
  return start.starts_with("8;") ? close_link() : Ruling{};
}

// `head` is known to be harmless, `text` is shown to people.
Ruling Judge::text_after(std::string_view head, std::string_view text) {
  instead_ = "\x1b]";
  instead_ += head;
  append_shown(instead_, text, options_.utf8);
  if (std::string_view(instead_).substr(2 + head.size()) == text)
    return {.outcome = Outcome::as_sent};
  instead_ += end_;
  return {.outcome = Outcome::instead};
}

// Pairs of an index and a colour, or of an index and a question mark.
Ruling Judge::palette(std::string_view text) {
  if (text.ends_with(';')) return {};
  Ruling ruling{.outcome = Outcome::as_sent};
  for (int round = 0; round < 2; round++) {  // first look, then keep: all of it passes, or nothing
    std::string_view rest = text;
    do {
      auto index = number_in(cut(rest, ';'), 255);
      std::string_view colour = cut(rest, ';');
      if (!index || (colour != "?" && !is_colour(colour))) return {};
      if (round == 0) {
        ruling.queries += colour == "?";
      } else if (colour != "?") {
        modes_.set_colour(*index, colour);
      }
    } while (!rest.empty());
  }
  return ruling;
}

Ruling Judge::palette_reset(std::string_view text) {
  if (text.empty()) {
    modes_.reset_palette();
    return {.outcome = Outcome::as_sent};
  }
  if (text.ends_with(';')) return {};
  for (int round = 0; round < 2; round++) {
    for (std::string_view rest = text; !rest.empty();) {
      auto index = number_in(cut(rest, ';'), 255);
      if (!index) return {};
      if (round == 1) modes_.reset_colour(*index);
    }
  }
  return {.outcome = Outcome::as_sent};
}

// Several colours count on from the number: OSC 10;A;B sets 10 and 11.
Ruling Judge::dynamic_colour(int number, std::string_view text) {
  if (text.ends_with(';')) return {};
  Ruling ruling{.outcome = Outcome::as_sent};
  for (int round = 0; round < 2; round++) {
    int which = number;
    std::string_view rest = text;
    do {
      std::string_view colour = cut(rest, ';');
      if (which > kLastDynamic || (colour != "?" && !is_colour(colour))) return {};
      if (round == 0) {
        ruling.queries += colour == "?";
      } else if (colour != "?") {
        modes_.set_colour(kDynamicColour + which, colour);
      }
      which++;
    } while (!rest.empty());
  }
  return ruling;
}

Ruling Judge::hyperlink(std::string_view text) {
  if (text.find(';') == std::string_view::npos) return {};
  std::string_view address = text;
  std::string_view settings = cut(address, ';');
  if (!std::ranges::all_of(settings, is_printable)) return close_link();
  if (!address.empty() && !is_web_address(address)) return close_link();
  modes_.set_link(!address.empty());
  return {.outcome = Outcome::as_sent};
}

// The text of a link that may not pass would otherwise belong to the link before it.
Ruling Judge::close_link() {
  if (!modes_.link_open()) return {};
  modes_.set_link(false);
  instead_ = "\x1b]8;;";
  instead_ += end_;
  return {.outcome = Outcome::instead, .part_dropped = true};
}

Ruling Judge::message_or_progress(std::string_view text) {
  std::string_view rest = text;
  std::string_view first = cut(rest, ';');
  if (first == "4" && !rest.empty()) {
    auto state = number_in(cut(rest, ';'), 4);
    if (!state || (!rest.empty() && !number_in(rest, 100))) return {};
    modes_.set_progress(*state != 0);
    return {.outcome = Outcome::as_sent};
  }
  std::string shown;
  append_shown(shown, text, options_.utf8);
  rest = shown;
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  // ConEmu runs programs and macros by 9;6 and 9;7. What is shown decides, not what was sent.
  std::string_view message = rest;
  if (std::ranges::all_of(cut(rest, ';'), is_digit)) return {};
  if (message == text) return {.outcome = Outcome::as_sent};
  instead_ = "\x1b]9;" + std::string(message) + std::string(end_);
  return {.outcome = Outcome::instead};
}

Ruling Judge::named_message(std::string_view text) {
  constexpr std::string_view kHead = "notify;";
  if (!text.starts_with(kHead)) return {};
  return text_after("777;notify;", text.substr(kHead.size()));
}

Ruling Judge::structured_message(std::string_view text) {
  if (text.find(';') == std::string_view::npos) return {};
  std::string_view shown = text;
  std::string_view settings = cut(shown, ';');
  for (std::string_view rest = settings; !rest.empty();) {
    if (!is_plain_setting(cut(rest, ':'))) return {};
  }
  return text_after("99;" + std::string(settings) + ";", shown);
}

Ruling Judge::clipboard(std::string_view text) const {
  if (!options_.clipboard_write || text.find(';') == std::string_view::npos) return {};
  std::string_view written = text;
  std::string_view which = cut(written, ';');
  bool known = which.find_first_not_of("cpqs01234567") == std::string_view::npos;
  // A question mark would read it; anything but base64 clears it on some terminals only.
  if (!known || !std::ranges::all_of(written, is_base64)) return {};
  return {.outcome = Outcome::as_sent};
}

}  // namespace ringwall::terminal
