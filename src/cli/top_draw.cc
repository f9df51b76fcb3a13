#include "cli/top_draw.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/layout.h"
#include "base/text.h"

namespace ringwall::cli {
namespace {

using Look = DrawnLine::Look;

constexpr size_t kLabel = 13;  // columns, before what a run is about
constexpr const char* kAnswerKeys =
    "a once  s session  h 1 hour  A always    r reject  R reject for the session";
constexpr const char* kOtherKeys =
    "j k select  Tab requests  p pause  x stop  K kill  ? help  q quit";
constexpr const char* kHelp[] = {
    "j k, arrows   the next or the one before: a run, or a request that waits",
    "Tab           from the runs to the requests of the chosen one, and back",
    "a             approve the chosen request: these connections alone",
    "s             approve it until the run ends",
    "h             approve it for one hour",
    "A             approve it always: in your policy file too",
    "r             reject the chosen request: these connections alone",
    "R             reject it until the run ends",
    "p             pause the chosen run, or let it go on",
    "x             stop it: ask it to end, and end it after 5 seconds",
    "K             kill it at once; asks before",
    "q, Ctrl-C     leave; the runs go on",
};

std::string cut(std::string_view text, size_t width) {
  if (width == 0) return "";
  std::string out = layout::fit(text, width);
  while (out.ends_with(' '))
    out.pop_back();
  return out;
}

constexpr size_t kColumns = 9;
using Cells = std::array<std::string, kColumns>;
constexpr bool kIsNumber[kColumns] = {false, false, false, false, true, true, true, true, false};

std::string show_risk(uint32_t millionths) {
  char text[16];
  snprintf(text, sizeof text, "%.2f", millionths / 1e6);
  return text;
}

Cells cells_of(const TopRun& run) {
  auto quoted = [](const std::string& text) { return text.empty() ? "" : text::quote(text); };
  return {quoted(run.name),
          quoted(run.agent),
          run.state,
          run.since,
          std::to_string(run.refused),
          std::to_string(run.open),
          std::to_string(run.waiting),
          show_risk(run.risk),
          quoted(run.workspace)};
}

// Names may be long: they get a part of the screen, the workspace has what is left.
std::array<size_t, kColumns> widths_of(const std::vector<Cells>& table, size_t columns) {
  std::array<size_t, kColumns> widths{};
  for (const Cells& cells : table) {
    for (size_t i = 0; i < kColumns; i++)
      widths[i] = std::max(widths[i], layout::columns(cells[i]));
  }
  widths[0] = std::min(widths[0], std::max<size_t>(8, columns / 4));
  widths[1] = std::min(widths[1], std::max<size_t>(5, columns / 8));
  return widths;
}

std::string row_of(const Cells& cells, const std::array<size_t, kColumns>& widths, bool is_chosen) {
  std::string row = is_chosen ? "> " : "  ";
  for (size_t i = 0; i < kColumns; i++) {
    size_t used = layout::columns(cells[i]);
    std::string filler(kIsNumber[i] && used < widths[i] ? widths[i] - used : 0, ' ');
    row += i + 1 == kColumns ? cells[i] : layout::fit(filler + cells[i], widths[i]) + "  ";
  }
  return row;
}

Look look_of(const TopRun& run) {
  if (run.state == "asks" || run.state == "isolated") return Look::asks;
  return run.state == "no answer" ? Look::refused : Look::plain;
}

// The heading, and those `rows` lines around the chosen one.
std::vector<DrawnLine> draw_table(const TopPicture& picture, size_t rows, size_t columns) {
  std::vector<Cells> table = {
      {"NAME", "AGENT", "STATE", "SINCE", "REFUSED", "OPEN", "WAITS", "RISK", "WORKSPACE"}};
  for (const TopRun& run : picture.runs)
    table.push_back(cells_of(run));
  auto widths = widths_of(table, columns);
  std::vector<DrawnLine> lines = {{Look::bold, cut(row_of(table[0], widths, false), columns)}};
  if (picture.runs.empty()) lines.push_back({Look::dim, cut("  no run is going on", columns)});
  size_t first = picture.run >= rows ? picture.run - rows + 1 : 0;
  for (size_t i = first; i < std::min(first + rows, picture.runs.size()); i++) {
    bool is_chosen = i == picture.run;
    std::string row = row_of(table[i + 1], widths, is_chosen);
    bool is_shown = is_chosen && !picture.in_requests;
    lines.push_back({is_shown ? Look::chosen : look_of(picture.runs[i]),
                     is_shown ? layout::fit(row, columns) : cut(row, columns)});
  }
  return lines;
}

// One kind of thing of the chosen run: a name in front, one or more lines.
struct Part {
  std::string name;
  std::vector<DrawnLine> lines;
  size_t chosen = 0;  // is seen, whatever is cut
  size_t shown = 0;
};

Part requests_of(const TopPicture& picture, size_t width) {
  Part part{"waits", {}, picture.request};
  for (size_t i = 0; i < picture.requests.size(); i++) {
    const TopRequest& request = picture.requests[i];
    bool is_chosen = i == picture.request;
    std::string text = (is_chosen ? "> " : "  ") + std::to_string(request.id) + ": " +
                       text::quote(request.destination);
    if (!request.program.empty()) text += " for " + text::quote(request.program);
    text += ", " + std::to_string(std::max<int64_t>(0, request.seconds_left)) + " s left";
    bool is_shown = is_chosen && picture.in_requests;
    part.lines.push_back({is_shown ? Look::chosen : Look::asks,
                          is_shown ? layout::fit(text, width) : cut(text, width)});
  }
  return part;
}

// The curve since the run's start, then where it stands.
Part risk_of(const TopPicture& picture, size_t width) {
  constexpr const char* kBars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr uint32_t kWhole = 1'000'000;
  Part part{"risk"};
  if (picture.runs.empty() || picture.risks.empty()) return part;
  const TopRun& run = picture.runs[picture.run];
  std::string line;
  for (uint32_t risk : picture.risks)
    line += kBars[std::min<size_t>(size_t{risk} * std::size(kBars) / kWhole, std::size(kBars) - 1)];
  line += " " + show_risk(run.risk) + " " + run.level;
  part.lines.push_back({run.level == "normal" ? Look::plain : Look::refused, cut(line, width)});
  return part;
}

Part refusals_of(const TopPicture& picture, size_t width) {
  Part part{"refused"};
  for (const TopRefusal& refusal : picture.refusals) {
    part.lines.push_back(
        {Look::refused,
         cut(refusal.time + " " + layout::pad(refusal.kind, 8) + " " + refusal.words, width)});
  }
  return part;
}

// Short texts, as many on a line as fit.
Part flow(std::string name, const std::vector<std::string>& items, size_t width) {
  Part part{std::move(name)};
  for (const std::string& item : items) {
    std::string* last = part.lines.empty() ? nullptr : &part.lines.back().text;
    if (last != nullptr && layout::columns(*last) + 2 + layout::columns(item) <= width) {
      *last += "  " + item;
    } else {
      part.lines.push_back({Look::plain, cut(item, width)});
    }
  }
  return part;
}

Part connections_of(const TopPicture& picture, size_t width) {
  std::map<std::string, size_t> times;
  for (const std::string& connection : picture.connections)
    times[connection]++;
  std::vector<std::string> items;
  for (const auto& [connection, count] : times)
    items.push_back(text::quote(connection) + (count > 1 ? " x" + std::to_string(count) : ""));
  return flow("connected", items, width);
}

Part processes_of(const TopPicture& picture, size_t width) {
  std::vector<std::string> items;
  for (const TopProcess& process : picture.processes)
    items.push_back(std::to_string(process.pid) + " " + text::quote(process.name));
  return flow("processes", items, width);
}

// Each gets a line in turn, until all is seen or no room is left.
void share(std::vector<Part>& parts, size_t rows) {
  for (bool any = true; any && rows > 0;) {
    any = false;
    for (Part& part : parts) {
      if (rows == 0 || part.shown >= part.lines.size()) continue;
      part.shown++;
      rows--;
      any = true;
    }
  }
}

std::vector<DrawnLine> draw_parts(const TopPicture& picture, size_t rows, size_t columns) {
  size_t width = columns > kLabel ? columns - kLabel : 0;
  std::vector<Part> parts = {requests_of(picture, width), risk_of(picture, width),
                             refusals_of(picture, width), connections_of(picture, width),
                             processes_of(picture, width)};
  share(parts, rows);
  std::vector<DrawnLine> lines;
  for (const Part& part : parts) {
    size_t first = part.chosen >= part.shown && part.shown > 0 ? part.chosen - part.shown + 1 : 0;
    for (size_t i = first; i < first + part.shown; i++) {
      bool more = part.shown < part.lines.size();
      std::string name = i > first ? "" : part.name + (more ? " …" : "");
      lines.push_back(
          {part.lines[i].look, cut(layout::pad(name, kLabel) + part.lines[i].text, columns)});
      if (part.lines[i].look == Look::chosen)
        lines.back().text = layout::fit(lines.back().text, columns);
    }
  }
  return lines;
}

std::string count(size_t number, const char* what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

DrawnLine draw_title(const TopPicture& picture, size_t columns) {
  uint64_t waiting = 0;
  for (const TopRun& run : picture.runs)
    waiting += run.waiting;
  std::string left = "ringwall top  " + count(picture.runs.size(), "run");
  if (waiting > 0)
    left += ", " + count(waiting, "request") + (waiting == 1 ? " waits" : " wait") + " for you";
  size_t used = layout::columns(left) + layout::columns(picture.clock);
  if (used + 2 <= columns) left += std::string(columns - used, ' ') + picture.clock;
  return {Look::bold, cut(left, columns)};
}

DrawnLine draw_chosen_name(const TopPicture& picture, size_t columns) {
  if (picture.runs.empty()) return {};
  std::string line = "-- " + text::quote(picture.runs[picture.run].name) + " ";
  size_t used = layout::columns(line);
  return {Look::dim, cut(line + std::string(used < columns ? columns - used : 0, '-'), columns)};
}

void draw_foot(const TopPicture& picture, size_t rows, size_t columns,
               std::vector<DrawnLine>& lines) {
  std::vector<DrawnLine> foot;
  bool asks = !picture.question.empty();
  foot.push_back(
      {asks ? Look::asks : Look::plain, cut(asks ? picture.question : picture.message, columns)});
  if (rows >= 12) foot.push_back({Look::dim, cut(kAnswerKeys, columns)});
  foot.push_back({Look::dim, cut(kOtherKeys, columns)});
  // On a single line: what there is to read, or the keys.
  if (rows < foot.size() && foot[0].text.empty()) foot.erase(foot.begin());
  lines.resize(rows > foot.size() ? rows - foot.size() : 0);
  lines.insert(lines.end(), foot.begin(), foot.end());
  lines.resize(rows);
}

}  // namespace

std::vector<DrawnLine> draw_top(const TopPicture& picture, terminal::Size size) {
  constexpr size_t kAround = 6;  // title, heading, name, and the foot
  constexpr size_t kFewest = 3;
  size_t rows = size.rows;
  size_t columns = size.columns;
  std::vector<DrawnLine> lines = {draw_title(picture, columns)};
  if (picture.shows_help) {
    for (const char* line : kHelp)
      lines.push_back({Look::plain, cut(line, columns)});
    lines.resize(rows);
    return lines;
  }
  size_t room = rows > kAround ? rows - kAround : 1;
  // What the details do not need, the table may have.
  size_t wanted = draw_parts(picture, room, columns).size();
  size_t most = std::max({kFewest, room * 2 / 5, room - std::min(room, wanted)});
  size_t kept = wanted > 0 && room > 1 ? 1 : 0;  // what waits is seen on the smallest screen
  size_t table_rows = std::min({picture.runs.size(), most, room - kept});
  for (DrawnLine& line : draw_table(picture, table_rows, columns))
    lines.push_back(std::move(line));
  lines.push_back(draw_chosen_name(picture, columns));
  for (DrawnLine& line : draw_parts(picture, room - table_rows, columns))
    lines.push_back(std::move(line));
  draw_foot(picture, rows, columns, lines);
  return lines;
}

std::vector<DrawnLine> draw_top_once(const TopPicture& picture, size_t columns) {
  constexpr size_t kMostLines = 100'000;
  TopPicture still = picture;
  still.in_requests = true;  // nothing is chosen on paper
  std::vector<DrawnLine> lines = draw_table(still, std::max<size_t>(1, still.runs.size()), columns);
  if (still.runs.empty()) return lines;
  lines.push_back(draw_chosen_name(still, columns));
  for (DrawnLine& line : draw_parts(still, kMostLines, columns))
    lines.push_back(std::move(line));
  for (DrawnLine& line : lines) {
    if (line.look == Look::chosen) line.look = Look::asks;
    while (line.text.ends_with(' '))
      line.text.pop_back();
  }
  return lines;
}

}  // namespace ringwall::cli
