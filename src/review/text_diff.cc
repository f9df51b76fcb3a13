#include "review/text_diff.h"

#include <algorithm>

#include "base/text.h"
#include "review/text_lines.h"

namespace ringwall::review {
namespace {

constexpr size_t kContext = 3;
constexpr size_t kLongestLine = 2000;  // bytes of it that are shown

// A stretch that differs: [a, a_end) became [b, b_end).
struct Stretch {
  size_t a, a_end, b, b_end;
};

std::vector<Stretch> stretches_of(const LineMatches& matches, size_t a_size, size_t b_size) {
  std::vector<Stretch> found;
  size_t a = 0, b = 0;
  auto close = [&](size_t a_end, size_t b_end) {
    if (a_end > a || b_end > b) found.push_back({a, a_end, b, b_end});
    a = a_end + 1;
    b = b_end + 1;
  };
  for (auto [at_a, at_b] : matches)
    close(at_a, at_b);
  close(a_size, b_size);
  return found;
}

// "3,7", as in the first line of a hunk; of none, the line before.
std::string place_of(size_t first, size_t end) {
  size_t count = end - first;
  std::string start = std::to_string(count == 0 ? first : first + 1);
  return count == 1 ? start : start + "," + std::to_string(count);
}

class HunkWriter {
 public:
  HunkWriter(const TextLines& a, const TextLines& b, TextDiff& out) : a_(a), b_(b), out_(out) {}

  // `first` to `end` of stretches that lie so near that one hunk holds them.
  void write(const Stretch* first, const Stretch* end) {
    size_t a = first->a - std::min(first->a, kContext), b = first->b - (first->a - a);
    size_t after = std::min(kContext, a_.size() - (end - 1)->a_end);
    out_.lines.push_back({DiffLine::Kind::place, "@@ -" + place_of(a, (end - 1)->a_end + after) +
                                                     " +" + place_of(b, (end - 1)->b_end + after) +
                                                     " @@"});
    for (const Stretch* at = first; at != end; at++) {
      for (; a < at->a; a++)
        add(DiffLine::Kind::same, a_, a);
      for (; a < at->a_end; a++)
        add(DiffLine::Kind::removed, a_, a);
      for (b = at->b; b < at->b_end; b++)
        add(DiffLine::Kind::added, b_, b);
    }
    for (size_t last = a + after; a < last; a++)
      add(DiffLine::Kind::same, a_, a);
  }

 private:
  void add(DiffLine::Kind kind, const TextLines& text, size_t at) {
    const char* mark = kind == DiffLine::Kind::removed ? "-"
                       : kind == DiffLine::Kind::added ? "+"
                                                       : " ";
    out_.lines.push_back({kind, mark + harmless_line(text.line(at))});
    if (at + 1 == text.size() && !text.ends_with_newline())
      out_.lines.push_back({DiffLine::Kind::remark, "\\ no newline at the end"});
  }

  const TextLines& a_;
  const TextLines& b_;
  TextDiff& out_;
};

// Counted before anything is kept of them.
bool has_too_many(std::string_view text, TextDiff& out) {
  auto lines = static_cast<size_t>(std::ranges::count(text, '\n'));
  if (lines <= kMostDiffLines) return false;
  out.lines.push_back({DiffLine::Kind::remark, "differs, " + std::to_string(lines) + " lines"});
  return true;
}

}  // namespace

std::string harmless_line(std::string_view line) {
  std::string out;
  size_t shown = std::min(line.size(), kLongestLine);
  for (size_t at = 0; at < shown;) {
    // These two are harmless, and source code is full of them.
    size_t end = std::min(line.find_first_of("\t\\", at), shown);
    out += text::escape(line.substr(at, end - at));
    if (end < shown) out += line[end];
    at = end + 1;
  }
  if (shown < line.size()) out += "… and " + std::to_string(line.size() - shown) + " bytes more";
  return out;
}

TextDiff diff_texts(std::string_view before, std::string_view after, DiffBudget& budget) {
  TextDiff out;
  if (has_too_many(before, out) || has_too_many(after, out)) return out;
  LineNumbers numbers({before, after});
  const TextLines &a = numbers.text(0), &b = numbers.text(1);
  auto stretches = stretches_of(match_lines(a.numbers(), b.numbers(), budget), a.size(), b.size());
  for (const Stretch& stretch : stretches) {
    out.removed += stretch.a_end - stretch.a;
    out.added += stretch.b_end - stretch.b;
  }
  HunkWriter writer(a, b, out);
  for (size_t first = 0; first < stretches.size();) {
    size_t end = first + 1;
    while (end < stretches.size() && stretches[end].a - stretches[end - 1].a_end <= 2 * kContext)
      end++;
    writer.write(stretches.data() + first, stretches.data() + end);
    first = end;
  }
  return out;
}

}  // namespace ringwall::review
