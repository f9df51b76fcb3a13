#include <algorithm>
#include <vector>

#include "review/text_diff.h"
#include "review/text_lines.h"

namespace ringwall::review {
namespace {

using Kind = DiffLine::Kind;
constexpr size_t kNone = SIZE_MAX;
constexpr size_t kContext = 3;

struct Sides {
  const TextLines &base, &here, &there;
};

// Where each line of the base went on one side.
std::vector<size_t> places_in(const TextLines& base, const TextLines& side, DiffBudget& budget) {
  std::vector<size_t> places(base.size(), kNone);
  for (auto [from, to] : match_lines(base.numbers(), side.numbers(), budget))
    places[from] = to;
  return places;
}

struct Part {
  size_t from, to;
};

bool is_same(const TextLines& a, Part pa, const TextLines& b, Part pb) {
  return std::ranges::equal(a.numbers().subspan(pa.from, pa.to - pa.from),
                            b.numbers().subspan(pb.from, pb.to - pb.from));
}

class ThreeWay {
 public:
  ThreeWay(const Sides& sides, TextDiff& out) : sides_(sides), out_(out) {}

  // What lies between two lines that all three have.
  void stretch(Part base, Part here, Part there) {
    bool here_same = is_same(sides_.base, base, sides_.here, here);
    bool there_same = is_same(sides_.base, base, sides_.there, there);
    if (here_same && there_same) return;
    show_context();
    if (there_same || is_same(sides_.here, here, sides_.there, there)) {
      one_side(here_same    ? ""
               : there_same ? "changed here:"
                            : "changed alike on both sides:",
               base, sides_.here, here);
    } else if (here_same) {
      one_side("changed by the run:", base, sides_.there, there);
    } else {
      conflict(base, here, there);
    }
    after_ = kContext;
  }

  void same(size_t line) {
    if (after_ > 0) {
      after_--;
      add(Kind::same, " ", sides_.base, line);
      return;
    }
    waiting_.push_back(line);
  }

 private:
  void show_context() {
    size_t first = waiting_.size() - std::min(waiting_.size(), kContext);
    if (first < waiting_.size() || out_.lines.empty())
      out_.lines.push_back(
          {Kind::place,
           "@@ line " + std::to_string(first < waiting_.size() ? waiting_[first] + 1 : 1) + " @@"});
    for (size_t i = first; i < waiting_.size(); i++)
      add(Kind::same, " ", sides_.base, waiting_[i]);
    waiting_.clear();
  }

  void one_side(const char* words, Part base, const TextLines& side, Part changed) {
    out_.lines.push_back({Kind::remark, words});
    for (size_t i = base.from; i < base.to; i++)
      add(Kind::removed, "-", sides_.base, i);
    for (size_t i = changed.from; i < changed.to; i++)
      add(Kind::added, "+", side, i);
    out_.removed += base.to - base.from;
    out_.added += changed.to - changed.from;
  }

  void conflict(Part base, Part here, Part there) {
    mark("<<<<<<< here");
    for (size_t i = here.from; i < here.to; i++)
      add(Kind::removed, "-", sides_.here, i);
    mark("||||||| at the start of the run");
    for (size_t i = base.from; i < base.to; i++)
      add(Kind::same, " ", sides_.base, i);
    mark("=======");
    for (size_t i = there.from; i < there.to; i++)
      add(Kind::added, "+", sides_.there, i);
    mark(">>>>>>> by the run");
    out_.removed += here.to - here.from;
    out_.added += there.to - there.from;
  }

  void mark(const char* words) { out_.lines.push_back({Kind::conflict, words}); }

  void add(Kind kind, const char* prefix, const TextLines& text, size_t at) {
    out_.lines.push_back({kind, prefix + harmless_line(text.line(at))});
  }

  const Sides& sides_;
  TextDiff& out_;
  std::vector<size_t> waiting_;  // lines of the base that may stand before the next change
  size_t after_ = 0;             // how many still stand after the last one
};

}  // namespace

TextDiff diff_three(std::optional<std::string_view> base, std::string_view here,
                    std::string_view there, DiffBudget& budget) {
  if (!base) {
    TextDiff out = diff_texts(here, there, budget);
    out.lines.insert(out.lines.begin(), {{Kind::conflict, "-: here now; +: by the run"}});
    return out;
  }
  TextDiff out;
  for (std::string_view text : {*base, here, there}) {
    if (static_cast<size_t>(std::ranges::count(text, '\n')) <= kMostDiffLines) continue;
    out.lines.push_back({Kind::remark, "differs on both sides, too many lines to show"});
    return out;
  }
  LineNumbers numbers({*base, here, there});
  Sides sides{numbers.text(0), numbers.text(1), numbers.text(2)};
  std::vector<size_t> in_here = places_in(sides.base, sides.here, budget);
  std::vector<size_t> in_there = places_in(sides.base, sides.there, budget);
  ThreeWay writer(sides, out);
  size_t at_base = 0, at_here = 0, at_there = 0;
  for (size_t line = 0; line < sides.base.size(); line++) {
    if (in_here[line] == kNone || in_there[line] == kNone) continue;
    writer.stretch({at_base, line}, {at_here, in_here[line]}, {at_there, in_there[line]});
    writer.same(line);
    at_base = line + 1;
    at_here = in_here[line] + 1;
    at_there = in_there[line] + 1;
  }
  writer.stretch({at_base, sides.base.size()}, {at_here, sides.here.size()},
                 {at_there, sides.there.size()});
  return out;
}

}  // namespace ringwall::review
