#include "instructions/hidden_characters.h"

#include <algorithm>

#include "base/text.h"
#include "instructions/code_points.h"

namespace ringwall::instructions {
namespace {

constexpr uint32_t kBlackFlag = 0x1f3f4;
constexpr uint32_t kEndOfTags = 0xe007f;
constexpr size_t kLongestFlag = 8;     // tags of a region: gbsct
constexpr size_t kSpelledAtLeast = 8;  // characters without width in a row: a byte in bits

// A stretch of characters of one kind.
struct Stretch {
  size_t at = 0;
  size_t count = 0;
  void add(size_t where) {
    if (count++ == 0) at = where;
  }
};

// Goes through a text once, with what came before in hand.
class Looker {
 public:
  Looker(std::string_view text, std::vector<Finding>& findings)
      : text_(text), findings_(findings) {}

  void look() {
    for (size_t at = 0; at < text_.size();) {
      CodePoint point = code_point_at(text_, at);
      take(point.code, at);
      at += point.size;
    }
    end_line();
    end_stretches();
    if (scattered_.count > 0) {
      int weight = scattered_.count >= 16 ? 4 : scattered_.count >= 4 ? 2 : 1;
      note("characters without width", scattered_.at, weight);
    }
  }

 private:
  void note(std::string kind, size_t at, int weight) {
    findings_.push_back({std::move(kind), excerpt_of(text_, at), at, weight});
  }

  void take(uint32_t code, size_t at) {
    if (!is_tag(code)) end_tags();
    if (!is_variation_selector(code)) end_selectors();
    if (!is_zero_width(code) && !is_joiner(code)) end_zero_width();
    if (is_tag(code)) return take_tag(code, at);
    if (is_variation_selector(code)) return selectors_.add(at);
    if (is_zero_width(code) || is_joiner(code)) return take_zero_width(code, at);
    if (code == '\n') return end_line();
    if (turns_text(code)) take_turn(code, at);
    if (is_right_to_left(code)) line_has_rtl_ = true;
    before_ = code;
  }

  void take_tag(uint32_t code, size_t at) {
    if (tags_.count == 0) begins_flag_ = before_ == kBlackFlag;
    tags_.add(at);
    if (code >= 0xe0020 && code < kEndOfTags) spelled_ += static_cast<char>(code - 0xe0000);
    ends_flag_ = code == kEndOfTags;
  }
  void end_tags() {
    if (tags_.count == 0) return;
    bool is_flag = begins_flag_ && ends_flag_ && tags_.count <= kLongestFlag;
    if (!is_flag)
      findings_.push_back({"tag characters", text::escape(spelled_.substr(0, 80)), tags_.at, 10});
    tags_ = {};
    spelled_.clear();
  }

  // One after a letter chooses its form; several in a row spell bytes.
  void end_selectors() {
    if (selectors_.count >= 4) note("variation selectors that spell data", selectors_.at, 9);
    if (selectors_.count >= 2 && selectors_.count < 4)
      note("variation selectors in a row", selectors_.at, 3);
    selectors_ = {};
  }

  void take_zero_width(uint32_t code, size_t at) {
    bool is_byte_order_mark = code == 0xfeff && at == 0;
    // Scripts that need it have no ASCII before it, emoji neither.
    bool is_needed = is_joiner(code) && before_ >= 0x80;
    if (is_byte_order_mark) return;
    in_a_row_.add(at);
    if (!is_needed && code != 0xad) scattered_.add(at);
  }
  void end_zero_width() {
    if (in_a_row_.count >= kSpelledAtLeast)
      note("characters without width that spell data", in_a_row_.at, 8);
    in_a_row_ = {};
  }
  void end_stretches() {
    end_tags();
    end_selectors();
    end_zero_width();
  }

  void take_turn(uint32_t code, size_t at) {
    bool closes = code == 0x202c || code == 0x2069;
    if (closes) {
      open_turns_ = open_turns_ > 0 ? open_turns_ - 1 : 0;
      return;
    }
    open_turns_++;
    if (code == 0x202d || code == 0x202e) override_.add(at);
    turn_.add(at);
  }
  // Marks that turn text end with their line: one that is left open turned what is behind it.
  void end_line() {
    if (override_.count > 0) {
      note("text turned around by bidirectional overrides", override_.at, line_has_rtl_ ? 3 : 7);
    } else if (open_turns_ > 0 && !line_has_rtl_) {
      note("bidirectional marks that are left open", turn_.at, 6);
    }
    override_ = turn_ = {};
    open_turns_ = 0;
    line_has_rtl_ = false;
    before_ = '\n';
  }

  std::string_view text_;
  std::vector<Finding>& findings_;
  uint32_t before_ = '\n';
  Stretch tags_, selectors_, in_a_row_, scattered_, override_, turn_;
  bool begins_flag_ = false, ends_flag_ = false, line_has_rtl_ = false;
  size_t open_turns_ = 0;
  std::string spelled_;
};

// Numbers of "1;31" of a CSI sequence; those of foreground and background that are alike hide.
bool hides_text(std::string_view parameters) {
  int foreground = -1, background = -1;
  for (std::string_view part : text::split_in_place(parameters, ';')) {
    int number =
        part.size() == 2 && part[0] >= '3' && part[0] <= '4' && part[1] >= '0' && part[1] <= '7'
            ? (part[0] - '0') * 10 + part[1] - '0'
            : -1;
    if (part == "8") return true;
    if (number >= 30 && number < 38) foreground = number - 30;
    if (number >= 40 && number < 48) background = number - 40;
  }
  return foreground >= 0 && foreground == background;
}

// `text` begins behind "ESC [". The weight, 0 for what programs show all the time.
int weigh_csi(std::string_view text) {
  size_t end = text.find_first_not_of("0123456789;:<=>?");
  if (end == std::string_view::npos) return 1;
  if (text[end] == 'm') return hides_text(text.substr(0, end)) ? 6 : 0;
  return 1;  // moves and erases: progress bars do
}

int weigh_escape(std::string_view rest) {
  if (rest.size() < 2) return 1;
  if (rest[1] == '[') return weigh_csi(rest.substr(2));
  if (rest[1] == ']') return rest.substr(2).starts_with("52;") ? 8 : 1;  // 52: the clipboard
  if (rest[1] == 'P' || rest[1] == '_' || rest[1] == '^' || rest[1] == 'X') return 5;
  return 1;
}

// Bytes of the escape sequence at the beginning.
size_t escape_size(std::string_view rest) {
  if (rest.size() < 2) return 1;
  if (rest[1] == '[') {
    size_t end = rest.find_first_not_of("0123456789;:<=>? !\"#$%&'()*+,-./", 2);
    return end == std::string_view::npos ? rest.size() : end + 1;
  }
  if (std::string_view("]P_^X").find(rest[1]) == std::string_view::npos) return 2;
  // What nothing ends is cut with its line.
  size_t end = rest.find_first_of("\a\033\n", 2);
  if (end == std::string_view::npos) return rest.size();
  if (rest[end] == '\n') return end;
  return rest[end] == '\a' ? end + 1 : std::min(end + 2, rest.size());
}

}  // namespace

std::string excerpt_of(std::string_view text, size_t at) {
  constexpr size_t kMost = 80;
  std::string_view rest = text.substr(at, 4 * kMost);
  size_t end = 0;
  for (size_t count = 0; end < rest.size() && count < kMost && rest[end] != '\n'; count++)
    end += code_point_at(rest, end).size;
  return text::escape(rest.substr(0, end));
}

void find_hidden_characters(std::string_view text, std::vector<Finding>& findings) {
  Looker(text, findings).look();
}

void find_terminal_escapes(std::string_view text, std::vector<Finding>& findings) {
  // What is no text at all (a picture, an archive) holds every byte.
  if (text.find('\0') != std::string_view::npos) return;
  size_t light = 0, first_light = 0;
  for (size_t at = text.find('\033'); at < text.size(); at = text.find('\033', at)) {
    std::string_view rest = text.substr(at);
    int weight = weigh_escape(rest);
    if (weight >= 5) {
      bool hides = weight == 6;
      findings.push_back({hides ? "terminal escapes that hide text" : "terminal escapes that act",
                          excerpt_of(text, at), at, weight});
    }
    if (weight == 1 && light++ == 0) first_light = at;
    at += escape_size(rest);
  }
  if (light > 0)
    findings.push_back({"terminal escapes", excerpt_of(text, first_light), first_light, 1});
}

std::string without_hidden(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  uint32_t before = '\n';
  size_t flag_size = 0;
  for (size_t at = 0; at < text.size();) {
    CodePoint point = code_point_at(text, at);
    if (point.code == 0x1b) {
      at += escape_size(text.substr(at));
      continue;
    }
    bool is_flags =
        is_tag(point.code) && flag_size < kLongestFlag && (before == kBlackFlag || flag_size > 0);
    bool needed = (is_joiner(point.code) && before >= 0x80) || is_flags ||
                  (is_variation_selector(point.code) && !is_variation_selector(before) &&
                   !(before < 0x80 && look_alike(before) == 0 && before != '#' && before != '*'));
    bool hidden = is_control(point.code) || is_tag(point.code) || is_zero_width(point.code) ||
                  is_joiner(point.code) || is_variation_selector(point.code) ||
                  turns_text(point.code) || is_mark_of_direction(point.code);
    if (!hidden || needed) out += text.substr(at, point.size);
    flag_size = is_flags && point.code != kEndOfTags ? flag_size + 1 : 0;
    before = point.code;
    at += point.size;
  }
  return out;
}

}  // namespace ringwall::instructions
