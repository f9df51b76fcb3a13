#include "review/line_match.h"

#include <algorithm>
#include <dtl/dtl.hpp>
#include <unordered_map>

namespace ringwall::review {
namespace {

// The library starts anew after two million steps, from a state that it does not check: it is never
// given so much. Its steps are at most one for each pair of lines.
constexpr uint64_t kMostPairs = 1'900'000;
static_assert(kMostPairs < dtl::MAX_CORDINATES_SIZE);

constexpr int kDeepest = 8;

struct Range {
  size_t a, a_end, b, b_end;
  int depth;
};

class Matcher {
 public:
  Matcher(std::span<const uint32_t> a, std::span<const uint32_t> b, DiffBudget& budget)
      : a_(a), b_(b), budget_(budget) {}

  LineMatches match() {
    waiting_.push_back({0, a_.size(), 0, b_.size(), 0});
    while (!waiting_.empty()) {
      Range next = waiting_.back();
      waiting_.pop_back();
      match_range(next);
    }
    std::ranges::sort(found_);
    return std::move(found_);
  }

 private:
  void match_range(Range range) {
    while (range.a < range.a_end && range.b < range.b_end && a_[range.a] == b_[range.b])
      found_.emplace_back(range.a++, range.b++);
    while (range.a < range.a_end && range.b < range.b_end &&
           a_[range.a_end - 1] == b_[range.b_end - 1])
      found_.emplace_back(--range.a_end, --range.b_end);
    if (range.a == range.a_end || range.b == range.b_end) return;
    if (match_shortest(range)) return;
    if (range.depth < kDeepest) split_at_anchors(range);
  }

  // By the library, with lines that only one side has left out: they match nothing.
  bool match_shortest(const Range& range) {
    auto [kept_a, kept_b] = common_lines(range);
    uint64_t pairs = (kept_a.size() + 1) * (kept_b.size() + 1);
    if (kept_a.empty() || kept_b.empty()) return true;
    if (pairs > kMostPairs || pairs > budget_.steps) return false;
    budget_.steps -= pairs;
    std::vector<uint32_t> lines_a, lines_b;
    for (size_t at : kept_a)
      lines_a.push_back(a_[at]);
    for (size_t at : kept_b)
      lines_b.push_back(b_[at]);
    dtl::Diff<uint32_t> diff(lines_a, lines_b);
    diff.compose();
    size_t at_a = 0, at_b = 0;
    for (const auto& [line, info] : diff.getSes().getSequence()) {
      if (info.type == dtl::SES_COMMON) found_.emplace_back(kept_a[at_a], kept_b[at_b]);
      at_a += info.type != dtl::SES_ADD ? 1 : 0;
      at_b += info.type != dtl::SES_DELETE ? 1 : 0;
    }
    return true;
  }

  std::pair<std::vector<size_t>, std::vector<size_t>> common_lines(const Range& range) const {
    std::unordered_map<uint32_t, int> sides;
    for (size_t i = range.a; i < range.a_end; i++)
      sides[a_[i]] |= 1;
    for (size_t i = range.b; i < range.b_end; i++)
      sides[b_[i]] |= 2;
    std::pair<std::vector<size_t>, std::vector<size_t>> kept;
    for (size_t i = range.a; i < range.a_end; i++)
      if (sides[a_[i]] == 3) kept.first.push_back(i);
    for (size_t i = range.b; i < range.b_end; i++)
      if (sides[b_[i]] == 3) kept.second.push_back(i);
    return kept;
  }

  // Lines that stand once on each side are the same ones as far as their order allows; what lies
  // between them is matched by itself.
  void split_at_anchors(const Range& range) {
    LineMatches anchors = longest_rising(lone_lines(range));
    if (anchors.empty()) return;
    Range gap{range.a, 0, range.b, 0, range.depth + 1};
    for (auto [a, b] : anchors) {
      found_.emplace_back(a, b);
      gap.a_end = a;
      gap.b_end = b;
      waiting_.push_back(gap);
      gap.a = a + 1;
      gap.b = b + 1;
    }
    gap.a_end = range.a_end;
    gap.b_end = range.b_end;
    waiting_.push_back(gap);
  }

  LineMatches lone_lines(const Range& range) const {
    struct Seen {
      size_t in_a = 0, in_b = 0, at_b = 0;
    };
    std::unordered_map<uint32_t, Seen> seen;
    for (size_t i = range.a; i < range.a_end; i++)
      seen[a_[i]].in_a++;
    for (size_t i = range.b; i < range.b_end; i++) {
      Seen& line = seen[b_[i]];
      line.in_b++;
      line.at_b = i;
    }
    LineMatches lone;
    for (size_t i = range.a; i < range.a_end; i++) {
      const Seen& line = seen[a_[i]];
      if (line.in_a == 1 && line.in_b == 1) lone.emplace_back(i, line.at_b);
    }
    return lone;
  }

  // Of pairs that rise by their first part, the most that rise by the second too.
  static LineMatches longest_rising(const LineMatches& pairs) {
    constexpr size_t kNone = SIZE_MAX;
    std::vector<size_t> last;  // by length, the pair that ends with the smallest second part
    std::vector<size_t> before(pairs.size(), kNone);
    for (size_t i = 0; i < pairs.size(); i++) {
      auto at = std::ranges::lower_bound(last, pairs[i].second, {},
                                         [&](size_t pair) { return pairs[pair].second; });
      if (at != last.begin()) before[i] = *(at - 1);
      if (at == last.end()) {
        last.push_back(i);
      } else {
        *at = i;
      }
    }
    LineMatches rising;
    for (size_t at = last.empty() ? kNone : last.back(); at != kNone; at = before[at])
      rising.push_back(pairs[at]);
    std::ranges::reverse(rising);
    return rising;
  }

  std::span<const uint32_t> a_, b_;
  DiffBudget& budget_;
  std::vector<Range> waiting_;
  LineMatches found_;
};

}  // namespace

LineMatches match_lines(std::span<const uint32_t> a, std::span<const uint32_t> b,
                        DiffBudget& budget) {
  return Matcher(a, b, budget).match();
}

}  // namespace ringwall::review
