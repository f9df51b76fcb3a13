#include "verify/report.h"

#include <algorithm>
#include <boost/json.hpp>

#include "base/layout.h"
#include "base/text.h"

namespace ringwall::verify {
namespace {

using layout::columns;
using layout::fit;
using layout::wrap;
using sandbox::Wall;

constexpr size_t kNumberWidth = 3;
constexpr size_t kBriefWidth = 28;
constexpr size_t kKeptWidth = 29;
constexpr size_t kResultWidth = 4;
constexpr size_t kGaps = 2 + 2 + 2 + 1;
constexpr size_t kLeastWidth = 100;
constexpr int kMostStatus = 100;

// A list that is too long loses whole parts at its end, if one fits at all.
std::string shorten_list(std::string_view text, size_t width) {
  constexpr std::string_view kMore = ", …";
  if (columns(text) <= width) return std::string(text);
  for (size_t at = text.rfind(", "); at != std::string_view::npos && at > 0;
       at = text.rfind(", ", at - 1)) {
    if (columns(text.substr(0, at)) + columns(kMore) <= width)
      return std::string(text.substr(0, at)) + std::string(kMore);
  }
  return std::string(text);
}

std::string_view word_of(RowResult result) {
  switch (result) {
    case RowResult::pass:
      return "PASS";
    case RowResult::fail:
      return "FAIL";
    case RowResult::skip:
      return "SKIP";
  }
  return "FAIL";
}

std::string_view colour_of(RowResult result, const Paint& paint) {
  switch (result) {
    case RowResult::pass:
      return paint.green;
    case RowResult::skip:
      return paint.yellow;
    case RowResult::fail:
      break;
  }
  return paint.red;
}

std::string row_text(const Row& row, const MissingWalls& missing, size_t width,
                     const Paint& paint) {
  const Promise& promise = *row.promise;
  std::string head = std::string(promise.number) + "  ";
  std::string result = std::string(colour_of(row.result, paint)) +
                       std::string(word_of(row.result)) + std::string(paint.plain);
  size_t room = width - kNumberWidth - kBriefWidth - kKeptWidth - kResultWidth - kGaps;
  std::string out = head + fit(promise.brief, kBriefWidth) + "  " +
                    fit(kept_by_text(promise, missing, kKeptWidth), kKeptWidth) + "  ";
  // What went wrong is worth every line it takes; what went well is not.
  bool in_full = row.result != RowResult::pass && columns(row.evidence) > room;
  out += fit(in_full ? "see below" : shorten_list(row.evidence, room), room) + " " + result + "\n";
  if (!in_full) return out;
  size_t indent = kNumberWidth + 2;
  for (const std::string& line : wrap(row.evidence, width - indent))
    out += std::string(indent, ' ') + std::string(colour_of(row.result, paint)) + line +
           std::string(paint.plain) + "\n";
  return out;
}

std::string closing_line(const Counts& counts) {
  std::string line =
      std::to_string(counts.kept) + " kept, " + std::to_string(counts.failed) + " failed";
  return counts.skipped > 0 ? line + ", " + std::to_string(counts.skipped) + " skipped" : line;
}

bool stands(Wall wall, const MissingWalls& missing) { return !missing.contains(wall); }

// What a host without one of the optional walls does not have.
std::string_view describe_missing(Wall wall) {
  return wall == Wall::landlock
             ? "No Landlock on this host: promises about files are kept by the mounts alone."
             : "No list of unix sockets (unix_diag) on this host: sockets that are made while a "
               "run "
               "goes on\nare not masked. To mend it: sudo modprobe unix_diag";
}

std::string_view json_word_of(RowResult result) {
  switch (result) {
    case RowResult::pass:
      return "pass";
    case RowResult::skip:
      return "skip";
    case RowResult::fail:
      break;
  }
  return "fail";
}

boost::json::object row_json(const Row& row, const MissingWalls& missing) {
  boost::json::array keepers, walls, missing_walls;
  for (Keeper keeper : row.promise->kept_by)
    keepers.emplace_back(name_of(keeper));
  for (Wall wall : row.promise->walls) {
    (stands(wall, missing) ? walls : missing_walls).emplace_back(sandbox::facts_of(wall).name);
  }
  return {{"number", row.promise->number}, {"promise", row.promise->promise},
          {"group", row.promise->group},   {"kept_by", std::move(keepers)},
          {"walls", std::move(walls)},     {"missing_walls", std::move(missing_walls)},
          {"evidence", row.evidence},      {"result", json_word_of(row.result)}};
}

}  // namespace

std::vector<Row> plan_rows(const Answers& answers, const HostLacks& host_lacks) {
  std::vector<Row> rows;
  for (const Promise& promise : promises()) {
    Row row;
    auto answer = answers.find(promise.number);
    auto lacks = host_lacks.find(promise.number);
    if (answer == answers.end()) {
      row = {&promise, RowResult::fail, "no answer"};
    } else if (answer->second.finding == Finding::held) {
      row = {&promise, RowResult::pass, answer->second.evidence};
    } else if (answer->second.finding == Finding::breached) {
      row = {&promise, RowResult::fail, answer->second.evidence};
    } else if (lacks != host_lacks.end()) {
      row = {&promise, RowResult::skip, lacks->second};
    } else {
      row = {&promise, RowResult::fail, "cannot tell: " + answer->second.evidence};
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Counts count(const std::vector<Row>& rows) {
  Counts counts;
  for (const Row& row : rows) {
    counts.kept += row.result == RowResult::pass;
    counts.failed += row.result == RowResult::fail;
    counts.skipped += row.result == RowResult::skip;
  }
  return counts;
}

int exit_status(const Counts& counts) { return std::min(counts.failed, kMostStatus); }

std::string kept_by_text(const Promise& promise, const MissingWalls& missing, size_t most) {
  std::string text(name_of(promise.kept_by.front()));
  std::vector<std::string> names;
  std::string without;
  for (Wall wall : promise.walls) {
    std::string name(sandbox::facts_of(wall).name);
    if (stands(wall, missing)) {
      names.push_back(std::move(name));
    } else {
      without += ", no " + name;
    }
  }
  if (names.empty()) return text;
  if (names.size() > 4) return text + ": " + std::to_string(names.size()) + " walls";
  text += ": " + names[0];
  if (!without.empty()) return text.size() + without.size() > most ? text : text + without;
  for (size_t i = 1; i < names.size(); i++) {
    std::string more = " +" + std::to_string(names.size() - i);
    bool last = i + 1 == names.size();
    if (text.size() + 2 + names[i].size() + (last ? 0 : more.size()) > most) return text + more;
    text += ", " + names[i];
  }
  return text;
}

std::string as_text(const Report& report, size_t width, const Paint& paint) {
  width = std::max(width, kLeastWidth);
  std::string out = "ringwall verify: " + report.subject + "\n";
  std::string_view group;
  for (const Row& row : report.rows) {
    if (row.promise->group != group) {
      group = row.promise->group;
      out += "\n" + std::string(paint.bold) + std::string(group) + std::string(paint.plain) + "\n";
    }
    out += row_text(row, report.missing, width, paint);
  }
  for (Wall wall : report.missing)
    out += "\n" + std::string(describe_missing(wall)) + "\n";
  Counts counts = count(report.rows);
  std::string_view colour = counts.failed > 0 ? paint.red : paint.green;
  out += "\n" + std::string(colour) + closing_line(counts) + std::string(paint.plain) + "\n";
  return out;
}

std::string as_json(const Report& report) {
  boost::json::array rows;
  for (const Row& row : report.rows)
    rows.push_back(row_json(row, report.missing));
  Counts counts = count(report.rows);
  boost::json::object out{
      {"subject", report.subject},
      {"landlock", stands(Wall::landlock, report.missing)},
      {"rows", std::move(rows)},
      {"counts", {{"kept", counts.kept}, {"failed", counts.failed}, {"skipped", counts.skipped}}}};
  if (!report.trouble.empty()) out["trouble"] = report.trouble;
  return text::harmless_json(boost::json::serialize(out)) + "\n";
}

}  // namespace ringwall::verify
