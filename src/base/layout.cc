#include "base/layout.h"

#include <sys/ioctl.h>

#include <algorithm>

namespace ringwall::layout {
namespace {

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

}  // namespace

size_t columns(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

std::string pad(std::string_view text, size_t width) {
  size_t used = columns(text);
  return std::string(text) + std::string(used < width ? width - used : 0, ' ');
}

std::string fit(std::string_view text, size_t width) {
  if (columns(text) <= width) return pad(text, width);
  std::string out;
  size_t used = 0;
  for (char c : text) {
    if (begins_character(c) && ++used == width) break;
    out += c;
  }
  return out + "…";
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
