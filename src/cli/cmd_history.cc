// ringwall history: what runs did to their folders, and what can be put back.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <cstdio>
#include <optional>

#include "base/file.h"
#include "base/layout.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/interrupted_apply.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/quarantine_show.h"
#include "review/review.h"
#include "state/places.h"
#include "undo/kept_run.h"
#include "undo/late_compare.h"
#include "undo/outcome.h"

namespace ringwall::cli {
namespace {

namespace json = boost::json;
using undo::KeptRun;

constexpr const char* kExamples = R"(Examples:
  ringwall history
  ringwall history --json | jq '.[] | select(.undo == "yes")'

Each line is a run, an undo or an applied review; put it back by its name or id:
ringwall undo RUN. "partly" and "no" mean that some files were not kept: more than undo.size,
changed before they could be read, not readable. Folders that package managers fill
(node_modules, .venv, vendor, target and such) are neither kept nor compared.)";

struct Line {
  std::string id, name, kind, workspace, command, state;
  int64_t started = 0;  // milliseconds
  std::optional<undo::Counts> counts;
  std::string undo;  // "yes", "partly", "no", or "nothing" to do
};

const char* word_of(KeptRun::Kind kind) {
  switch (kind) {
    case KeptRun::Kind::run:
      return "run";
    case KeptRun::Kind::undo:
      return "undo";
    case KeptRun::Kind::apply:
      return "apply";
  }
  return "run";
}

std::string command_of(const std::vector<std::string>& words) {
  std::vector<std::string> quoted;
  for (const std::string& word : words)
    quoted.push_back(text::quote(word));
  return text::join(quoted, " ");
}

Line describe(int store, const KeptRun& run, undo::LateComparer& comparer) {
  Line line{run.id,  run.name,   word_of(run.kind), run.workspace, command_of(run.command),
            "ended", run.started};
  auto folder = undo::open_kept_run(store, run.id);
  bool has_manifest = folder && faccessat(folder->get(), "manifest", F_OK, 0) == 0;
  line.undo = has_manifest ? "yes" : "no";
  if (folder && !undo::has_ended(folder->get())) {
    line.state = "going on";
    return line;
  }
  auto outcome = folder ? undo::read_outcome(folder->get()) : std::unexpected(folder.error());
  if (!outcome) {
    line.state = outcome.error().err == ENOENT ? "killed" : "damaged";
    return line;
  }
  if (!outcome->compared) {
    auto certain = undo::LateComparer::Blame::certain;
    if (!outcome->is_put_off() || !comparer.complete(folder->get(), *outcome, certain)) return line;
  }
  line.counts = undo::count(outcome->touched);
  if (outcome->touched.empty()) line.undo = "nothing";
  uint64_t to_put_back = line.counts->changed + line.counts->deleted + line.counts->renamed;
  if (outcome->unkept > 0) line.undo = outcome->unkept < to_put_back ? "partly" : "no";
  return line;
}

Line describe(const review::Review& review) {
  Line line{
      review.name, review.name,          "review", review.workspace, command_of(review.command),
      "waits",     review.started * 1000};
  line.undo = "nothing";
  return line;
}

std::string did(const Line& line) {
  if (line.kind == "review") return "waits for you: ringwall diff " + line.name;
  if (!line.counts) return line.state == "ended" ? "not compared" : line.state;
  std::vector<std::string> parts;
  auto add = [&](uint64_t number, const char* what) {
    if (number > 0) parts.push_back(std::to_string(number) + " " + what);
  };
  add(line.counts->added, "added");
  add(line.counts->changed, "changed");
  add(line.counts->deleted, "deleted");
  add(line.counts->renamed, "renamed");
  return parts.empty() ? "nothing" : text::join(parts, ", ");
}

// The words of a person to an agent may be pages; --json has them.
std::string shorten(const std::string& command) {
  constexpr size_t kMost = 80;
  return layout::columns(command) > kMost ? layout::fit(command, kMost) : command;
}

void print_table(const std::vector<Line>& lines) {
  constexpr size_t kColumns = 6;
  using Row = std::array<std::string, kColumns>;
  std::vector<Row> rows = {{"TIME", "RUN", "DID", "UNDO", "WORKSPACE", "COMMAND"}};
  for (const Line& line : lines)
    rows.push_back({in_local_time(line.started / 1000), text::quote(line.id), did(line), line.undo,
                    text::quote(line.workspace), shorten(line.command)});
  size_t widths[kColumns - 1] = {};
  for (const Row& row : rows) {
    for (size_t i = 0; i + 1 < kColumns; i++)
      widths[i] = std::max(widths[i], layout::columns(row[i]) + 2);
  }
  Style style = style_for(stdout);
  for (const Row& row : rows) {
    std::string text = row[kColumns - 1];
    for (size_t i = kColumns - 1; i-- > 0;)
      text = layout::pad(row[i], widths[i]) + text;
    if (&row == &rows.front()) text = std::string(style.bold) + text + std::string(style.plain);
    printf("%s\n", text.c_str());
  }
}

json::object to_json(const Line& line) {
  json::object out{{"id", line.id},           {"run", line.name},
                   {"kind", line.kind},       {"started", line.started / 1000},
                   {"state", line.state},     {"undo", line.undo},
                   {"command", line.command}, {"workspace", line.workspace}};
  if (line.counts) {
    out["added"] = line.counts->added;
    out["changed"] = line.counts->changed;
    out["deleted"] = line.counts->deleted;
    out["renamed"] = line.counts->renamed;
    out["bytes"] = line.counts->bytes;
  }
  return out;
}

Result<std::vector<Line>> collect() {
  TRY_ASSIGN(state::Caller caller, state::read_caller());
  state::Places places = state::find_places(caller, getenv("XDG_RUNTIME_DIR"));
  std::vector<Line> lines;
  tell_finished(places);
  auto store = file::open(state::undo_folder(places), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!store && store.error().err != ENOENT) return std::unexpected(store.error());
  if (store) {
    TRY_ASSIGN(auto runs, undo::list_kept_runs(store->get()));
    undo::LateComparer comparer(state::own_folders(places));
    for (const KeptRun& run : runs)
      lines.push_back(describe(store->get(), run, comparer));
  }
  TRY_ASSIGN(auto reviews, review::list_reviews(places.state + "/reviews"));
  for (const review::Review& review : reviews)
    lines.push_back(describe(review));
  std::sort(lines.begin(), lines.end(),
            [](const Line& a, const Line& b) { return a.started > b.started; });
  return lines;
}

}  // namespace

int cmd_history(const Invocation& invocation) {
  CommandLine line("Lists what runs did to their folders, the newest first.", "history",
                   "ringwall history [--json]");
  line.footer(kExamples);
  bool json = false;
  line.add_flag("--json", json, "as a JSON array");
  if (auto status = line.parse(invocation.arguments)) return *status;
  auto lines = collect();
  if (!lines) {
    complain(lines.error());
    return kUsageStatus;
  }
  if (json) {
    json::array all;
    for (const Line& one : *lines)
      all.push_back(to_json(one));
    printf("%s\n", text::harmless_json(json::serialize(all)).c_str());
  } else if (!lines->empty()) {
    print_table(*lines);
  } else if (isatty(STDERR_FILENO) != 0) {
    fprintf(stderr, "nothing is kept of any run\n");
  }
  return 0;
}

}  // namespace ringwall::cli
