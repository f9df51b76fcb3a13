#include "events/record_check.h"

#include <algorithm>

#include "base/sha256.h"

namespace ringwall::events {
namespace {

struct Line {
  std::optional<LinkedLine> says;
  std::string hash;
};

std::vector<Line> split_lines(std::string_view text, bool& is_cut_off) {
  std::vector<Line> lines;
  while (!text.empty()) {
    size_t end = text.find('\n');
    is_cut_off = end == std::string_view::npos;
    if (is_cut_off) break;
    std::string_view line = text.substr(0, end);
    lines.push_back({parse_line(line), sha256(line)});
    text.remove_prefix(end + 1);
  }
  return lines;
}

// Walks back from the head and gathers what does not fit.
class Walk {
 public:
  Walk(const std::vector<Line>& lines, std::vector<Finding>& findings)
      : lines_(lines), findings_(findings) {}

  // The line with this hash and number must stand before `end`; gives the place of what stands for
  // it.
  void expect(const Link& link) {
    Link wanted = link;
    size_t end = lines_.size();
    while (wanted.number > 0) {
      std::optional<size_t> at = find(wanted.hash, end);
      if (at) {
        add(*at + 1, end);
      } else {
        at = stand_in(wanted, end);
        if (!at) return;
      }
      end = *at;
      const Line& line = lines_[end];
      wanted = {wanted.number - 1, line.says->prev};
    }
    add(0, end);
  }

 private:
  std::optional<size_t> find(const std::string& hash, size_t end) const {
    for (size_t i = end; i-- > 0;) {
      if (lines_[i].hash == hash && lines_[i].says) return i;
    }
    return std::nullopt;
  }

  // The line is not there as it was written. Changed, if one of its number stands in its place;
  // else removed, with all down to the number of the one before.
  std::optional<size_t> stand_in(Link& wanted, size_t end) {
    size_t i = end;
    while (i > 0 && (!lines_[i - 1].says || lines_[i - 1].says->number > wanted.number))
      i--;
    uint64_t below = i > 0 ? lines_[i - 1].says->number : 0;
    if (below == wanted.number) {
      add(i, end);
      findings_.push_back({Finding::Kind::changed, wanted.number, wanted.number});
      return i - 1;
    }
    // An unreadable line in the place of the one that is missing is that one, changed.
    bool one_for_one = wanted.number == below + 1 && end == i + 1 && !lines_[i].says;
    if (!one_for_one) add(i, end);
    findings_.push_back(
        {one_for_one ? Finding::Kind::changed : Finding::Kind::removed, below + 1, wanted.number});
    if (i == 0) return std::nullopt;
    wanted.number = below;
    return i - 1;
  }

  void add(size_t first, size_t end) {
    if (first < end) findings_.push_back({Finding::Kind::added, first + 1, end});
  }

  const std::vector<Line>& lines_;
  std::vector<Finding>& findings_;
};

// One that is said to be removed at its place and added at another was moved.
void join_moved(const std::vector<Line>& lines, std::vector<Finding>& findings) {
  for (Finding& added : findings) {
    if (added.kind != Finding::Kind::added || added.first != added.last) continue;
    const Line& line = lines[added.first - 1];
    if (!line.says) continue;
    auto removed = std::ranges::find_if(findings, [&](const Finding& other) {
      return other.kind == Finding::Kind::removed && other.first == line.says->number &&
             other.last == other.first;
    });
    if (removed == findings.end()) continue;
    added = {Finding::Kind::moved, removed->first, removed->first};
    findings.erase(removed);
    return join_moved(lines, findings);
  }
}

// Lines behind the head that were chained on to it: written while we looked.
Link newest_link(const std::vector<Line>& lines, const Link& head) {
  Link link = head;
  auto at = std::ranges::find(lines, head.hash, &Line::hash);
  if (at == lines.end()) return link;  // written behind the head, a moment from now
  for (++at; at != lines.end() && at->says && at->says->prev == link.hash; ++at)
    link = {at->says->number, at->hash};
  return link;
}

}  // namespace

std::string Finding::text() const {
  bool one = first == last;
  std::string which = one ? "line " + std::to_string(first)
                          : "lines " + std::to_string(first) + " to " + std::to_string(last);
  switch (kind) {
    case Kind::changed:
      return which + " was changed";
    case Kind::removed:
      return which + (one ? " was removed" : " were removed");
    case Kind::added:
      return which + " of the file " + (one ? "was" : "were") + " added";
    case Kind::moved:
      return which + " was moved";
    case Kind::cut_off:
      return "the last line is not whole";
    case Kind::no_head:
      return "the head is missing or unreadable: nothing vouches for the last line";
  }
  return "";
}

RecordCheck check_record(std::string_view text, const std::optional<Head>& head, bool goes_on) {
  RecordCheck check;
  bool is_cut_off = false;
  std::vector<Line> lines = split_lines(text, is_cut_off);
  check.lines = lines.size();
  if (is_cut_off && !goes_on) check.findings.push_back({Finding::Kind::cut_off});
  Link last = head ? head->last : Link();
  if (!head) {
    check.findings.push_back({Finding::Kind::no_head});
    // What is left to look at is whether the lines fit each other.
    if (lines.empty() || !lines.back().says) return check;
    last = {lines.back().says->number, lines.back().hash};
  } else if (goes_on) {
    // The lines that the head vouches for are being written.
    bool are_there = std::ranges::find(lines, last.hash, &Line::hash) != lines.end();
    last = newest_link(lines, are_there ? last : head->written);
  }
  std::vector<Finding> findings;
  Walk(lines, findings).expect(last);
  join_moved(lines, findings);
  std::reverse(findings.begin(), findings.end());  // in the order of the file
  check.findings.insert(check.findings.begin(), findings.begin(), findings.end());
  return check;
}

}  // namespace ringwall::events
