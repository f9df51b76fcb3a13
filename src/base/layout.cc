#include "base/layout.h"

#include <sys/ioctl.h>

#include <algorithm>
#include <cstdint>

namespace ringwall::layout {
namespace {

struct Range {
  uint32_t first, last;
};
// What terminals show over the character before it, and what they show in two columns. Both lists
// hold what is in use; of the rest terminals differ.
constexpr Range kNoColumn[] = {{0x300, 0x36f},   {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff},
                               {0x200b, 0x200f}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f},
                               {0xfe20, 0xfe2f}};
constexpr Range kTwoColumns[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},
                                 {0xa960, 0xa97f},   {0xac00, 0xd7a3},   {0xf900, 0xfaff},
                                 {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},
                                 {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff},
                                 {0x1fa70, 0x1faff}, {0x20000, 0x3fffd}};

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

template <size_t count>
bool is_among(const Range (&ranges)[count], uint32_t code) {
  return std::ranges::any_of(
      ranges, [code](const Range& range) { return range.first <= code && code <= range.last; });
}

// The character at the front, with all bytes that go on it.
std::string_view first_character(std::string_view text) {
  size_t length = 1;
  while (length < text.size() && !begins_character(text[length]))
    length++;
  return text.substr(0, length);
}

size_t width_of(std::string_view character) {
  auto first = static_cast<unsigned char>(character[0]);
  if (!begins_character(character[0])) return 0;
  if (first < 0xc0) return 1;
  uint32_t code = first & (first < 0xe0 ? 0x1f : first < 0xf0 ? 0x0f : 0x07);
  for (char c : character.substr(1))
    code = code << 6 | (static_cast<unsigned char>(c) & 0x3f);
  return is_among(kNoColumn, code) ? 0 : is_among(kTwoColumns, code) ? 2 : 1;
}

}  // namespace

size_t columns(std::string_view text) {
  size_t used = 0;
  while (!text.empty()) {
    std::string_view character = first_character(text);
    used += width_of(character);
    text.remove_prefix(character.size());
  }
  return used;
}

std::string pad(std::string_view text, size_t width) {
  size_t used = columns(text);
  return std::string(text) + std::string(used < width ? width - used : 0, ' ');
}

std::string fit(std::string_view text, size_t width) {
  if (columns(text) <= width) return pad(text, width);
  std::string out;
  for (size_t used = 0; !text.empty();) {
    std::string_view character = first_character(text);
    used += width_of(character);
    if (used >= width) break;  // the last column is for the mark
    out += character;
    text.remove_prefix(character.size());
  }
  return pad(out + (width > 0 ? "…" : ""), width);
}

std::vector<std::string> wrap(std::string_view text, size_t width) {
  std::vector<std::string> lines;
  std::string line;
  for (size_t start = 0; start <= text.size();) {
    size_t end = std::min(text.find(' ', start), text.size());
    std::string_view word = text.substr(start, end - start);
    if (!line.empty() && columns(line) + 1 + columns(word) > width) {
      lines.push_back(std::move(line));
      line.clear();
    }
    if (!line.empty()) line += ' ';
    line += word;
    start = end + 1;
  }
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

size_t screen_width(int fd, size_t least, size_t most) {
  winsize size{};
  if (ioctl(fd, TIOCGWINSZ, &size) < 0) return least;
  return std::clamp<size_t>(size.ws_col, least, most);
}

}  // namespace ringwall::layout
