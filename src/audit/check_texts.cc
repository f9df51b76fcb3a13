#include <cstring>

#include "audit/checks.h"
#include "audit/text_encoding.h"
#include "base/text.h"
#include "instructions/code_points.h"
#include "instructions/hidden_characters.h"
#include "instructions/result_scan.h"

namespace ringwall::audit {
namespace {

std::string_view number_of(const instructions::Finding& finding) {
  std::string_view kind = finding.kind;
  if (kind == "tag characters") return "RW221";
  if (kind.starts_with("variation selectors") || kind.starts_with("characters without width") ||
      kind.contains("bidirectional"))
    return "RW222";
  if (kind.starts_with("terminal escapes")) return "RW229";
  if (kind.contains("in an HTML comment") || kind.contains("in a markdown comment")) return "RW223";
  if (kind.contains("not shown") || kind.contains("in an attribute") || kind.contains("far ") ||
      kind.contains("in the name of an image"))
    return "RW224";
  return "RW227";
}

// In what agents obey, a single one has no business.
bool is_hidden_character(const instructions::Finding& finding) {
  return number_of(finding) == "RW222" && finding.kind.starts_with("characters without width");
}

// Word by word, since most files hold no other: much faster than to look for the bytes in question.
bool is_ascii(std::string_view text) {
  size_t at = 0;
  uint64_t found = 0;
  for (; at + 32 <= text.size(); at += 32) {
    uint64_t words[4];
    memcpy(words, text.data() + at, sizeof words);
    found |= words[0] | words[1] | words[2] | words[3];
  }
  for (; at < text.size(); at++)
    found |= static_cast<unsigned char>(text[at]);
  return (found & 0x8080808080808080u) == 0;
}

// The flags of England, Scotland and Wales are spelled so.
bool is_flag(std::string_view text, size_t at) {
  return at >= 4 && text.substr(at - 4, 4) == "\xf0\x9f\x8f\xb4";
}

// "Note to AI reviewers: generated file": a comment that says to whom it speaks, and asks nothing.
bool asks_nothing(std::string_view text, const instructions::Finding& finding) {
  constexpr size_t kLongestNote = 60;
  if (!finding.kind.starts_with("text addressed to the assistant in an HTML")) return false;
  std::string_view rest = text.substr(finding.at);
  size_t end = rest.find("-->");
  if (end == std::string_view::npos || end > kLongestNote) return false;
  std::string_view note = rest.substr(0, end);
  return note.find_first_of("/`$@.!<>|;") == std::string_view::npos;
}

void check_words(const RepositoryFile& file, bool is_obeyed, Reporter& reporter) {
  std::vector<instructions::Finding> findings = instructions::scan_result(file.content);
  for (const instructions::Finding& finding : findings) {
    bool is_told = finding.weight >= instructions::kTellWeight;
    if (!is_told && !(is_obeyed && is_hidden_character(finding))) continue;
    if (asks_nothing(file.content, finding)) continue;
    reporter.add(number_of(finding), file.path, line_at(file.content, finding.at),
                 finding.kind + ": " + finding.excerpt);
  }
}

// Nothing is shown for these, and programs decode them: a few after a letter or a sign choose how
// it is drawn.
constexpr size_t kMostSelectors = 3;

// Letters that nothing is shown for, and that compilers take as part of a name.
bool is_filler(uint32_t code) {
  return code == 0x115f || code == 0x1160 || code == 0x3164 || code == 0xffa0;
}

std::string_view line_around(std::string_view text, size_t at) {
  size_t start = text.rfind('\n', at);
  start = start == std::string_view::npos ? 0 : start + 1;
  return text.substr(start, text.find('\n', at) - start);
}

// In a pattern that looks for such characters, between its brackets: "[\u202a-\u202e]".
bool stands_in_pattern(std::string_view line, size_t at, size_t size) {
  char before = at > 0 ? line[at - 1] : ' ';
  char after = at + size < line.size() ? line[at + size] : ' ';
  auto belongs = [](char c, char bracket) {
    return c == bracket || c == '-' || (static_cast<unsigned char>(c) & 0x80) != 0;
  };
  return belongs(before, '[') && belongs(after, ']') && line.substr(at).contains(']');
}

// Letters from right to left need such marks.
bool may_turn(std::string_view line) {
  bool is_pattern = true;
  for (size_t i = 0; i < line.size();) {
    instructions::CodePoint one = instructions::code_point_at(line, i);
    if (instructions::is_right_to_left(one.code)) return true;
    if (instructions::turns_text(one.code))
      is_pattern = is_pattern && stands_in_pattern(line, i, one.size);
    i += one.size;
  }
  return is_pattern;
}

// A script is looked at before it is run.
void check_escapes(const RepositoryFile& file, Reporter& reporter) {
  if (!file.content.contains('\033')) return;
  std::vector<instructions::Finding> findings;
  instructions::find_terminal_escapes(file.content, findings);
  for (const instructions::Finding& finding : findings) {
    if (finding.weight >= instructions::kTellWeight)
      reporter.add("RW229", file.path, line_at(file.content, finding.at), finding.excerpt);
  }
}

// What of one character in source code is a finding; nothing if it is none.
std::string_view number_in_source(std::string_view text, size_t at, instructions::CodePoint point) {
  if (instructions::is_tag(point.code)) return "RW221";
  if (instructions::turns_text(point.code) && !may_turn(line_around(text, at))) return "RW226";
  if (is_filler(point.code)) return "RW230";
  if (!instructions::is_variation_selector(point.code)) return {};
  size_t run = 0;
  for (size_t i = at; i < text.size() && run <= kMostSelectors; run++) {
    instructions::CodePoint next = instructions::code_point_at(text, i);
    if (!instructions::is_variation_selector(next.code)) break;
    i += next.size;
  }
  return run > kMostSelectors ? "RW230" : "";
}

}  // namespace

void check_instructions(const RepositoryFile& file, Reporter& reporter) {
  reporter.add("RW215", file.path, 0, "");
  check_imports(file, reporter);
  check_words(file, true, reporter);
}

void check_text(const RepositoryFile& file, Reporter& reporter) {
  std::string decoded = decode_utf16(file.content);
  check_modelines(file, reporter);
  check_words({file.path, decoded.empty() ? file.content : decoded}, false, reporter);
}

// Characters that nothing is shown for, and escapes for terminals, in what is neither prose nor
// source: words there are data.
void check_characters(const RepositoryFile& file, Reporter& reporter) {
  constexpr size_t kLook = 1024;
  std::string decoded = decode_utf16(file.content);
  std::string_view text = decoded.empty() ? file.content : decoded;
  if (text.substr(0, kLook).contains('\0')) return;  // no text
  std::vector<instructions::Finding> findings;
  if (!is_ascii(text)) instructions::find_hidden_characters(text, findings);
  if (text.contains('\033')) instructions::find_terminal_escapes(text, findings);
  for (const instructions::Finding& finding : findings) {
    if (finding.weight >= instructions::kTellWeight)
      reporter.add(number_of(finding), file.path, line_at(text, finding.at),
                   finding.kind + ": " + finding.excerpt);
  }
  check_modelines(file, reporter);
  if (text.starts_with("#!")) check_source(file, reporter);
}

// Only what makes a reviewer read other code than the compiler: the rest is data of programs.
void check_source(const RepositoryFile& file, Reporter& reporter) {
  std::string decoded = decode_utf16(file.content);
  std::string_view text = decoded.empty() ? file.content : decoded;
  if (file.path.ends_with(".sh")) check_escapes(file, reporter);
  check_modelines(file, reporter);
  if (is_ascii(text)) return;
  size_t at = 0;
  // All of them begin with one of these bytes.
  while ((at = text.find_first_of("\xe1\xe2\xe3\xef\xf3", at)) != std::string_view::npos) {
    instructions::CodePoint point = instructions::code_point_at(text, at);
    if (instructions::is_tag(point.code) && is_flag(text, at)) {
      while (at < text.size() && instructions::is_tag(instructions::code_point_at(text, at).code))
        at += 4;
      continue;
    }
    if (std::string_view number = number_in_source(text, at, point); !number.empty()) {
      reporter.add(number, file.path, line_at(text, at), line_around(text, at));
      return;
    }
    at += point.size;
  }
}

}  // namespace ringwall::audit
