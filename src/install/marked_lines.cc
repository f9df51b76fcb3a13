#include "install/marked_lines.h"

namespace ringwall::install {
namespace {

constexpr std::string_view kBegin = "# >>> ringwall install >>>\n";
// Where the text before had no line end, one was added.
constexpr std::string_view kBeginOfLine = "\n# >>> ringwall install, behind an open line >>>\n";
constexpr std::string_view kEnd = "# <<< ringwall install <<<\n";

struct Found {
  size_t from = std::string_view::npos;
  size_t to = 0;
};

// The nearest first mark before a second one: between them lies nothing of the person's, even where
// a second mark was lost further above.
Found find_lines(std::string_view text) {
  for (size_t end = text.find(kEnd); end != text.npos; end = text.find(kEnd, end + 1)) {
    std::string_view before = text.substr(0, end);
    for (std::string_view begin : {kBeginOfLine, kBegin}) {
      size_t from = before.rfind(begin);
      if (from != before.npos && before.find(kBegin, from + begin.size()) == before.npos)
        return {from, end + kEnd.size()};
    }
  }
  return {};
}

std::string without_first_lines(std::string_view text) {
  Found found = find_lines(text);
  std::string out(text);
  // Something was written behind an open line since: its line end is needed now.
  bool is_open = text.substr(found.from).starts_with('\n');
  bool is_followed = found.to < text.size();
  out.replace(found.from, found.to - found.from, is_open && is_followed ? "\n" : "");
  return out;
}

}  // namespace

bool has_marked_lines(std::string_view text) { return find_lines(text).from != text.npos; }

std::string with_marked_lines(std::string_view text, std::string_view lines) {
  std::string out = without_marked_lines(text);
  bool is_open = !out.empty() && out.back() != '\n';
  out += is_open ? kBeginOfLine : kBegin;
  out += lines;
  out += kEnd;
  return out;
}

bool has_open_mark(std::string_view text) {
  return !has_marked_lines(text) &&
         (text.find(kBegin) != text.npos || text.find(kBeginOfLine) != text.npos);
}

// A file that was put together of others may have them twice.
std::string without_marked_lines(std::string_view text) {
  std::string out(text);
  while (has_marked_lines(out))
    out = without_first_lines(out);
  return out;
}

}  // namespace ringwall::install
