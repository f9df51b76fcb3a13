#include "review/summary.h"

#include <algorithm>
#include <map>

#include "base/layout.h"
#include "base/text.h"
#include "review/change_words.h"
#include "review/text_diff.h"

namespace ringwall::review {
namespace {

using changes::Change;
using changes::EntryFacts;
using changes::EntryType;

constexpr size_t kMostOutside = 12;
constexpr size_t kWidestName = 48;

struct Row {
  std::string mark, name, words;  // harmless
};

const EntryFacts& facts_of(const Change& change) {
  return change.after.exists() ? change.after : change.before;
}

std::string mark_of(const Change& change) {
  if (!change.renamed_from.empty()) return ">";
  if (change.kind == Change::Kind::added) return "+";
  return change.kind == Change::Kind::deleted ? "-" : "*";
}

std::string words_of(const Change& change) {
  if (!change.renamed_from.empty()) return "was " + name_words(change.renamed_from, change.after);
  if (change.kind == Change::Kind::changed && change.before.type != change.after.type)
    return "was " + type_words(change.before) + ", is " + type_words(change.after);
  std::string words = size_words(change);
  if (change.kind == Change::Kind::changed && change.before.mode != change.after.mode) {
    words += words.empty() ? "" : ", ";
    words += "mode " + octal_mode(change.before.mode) + " -> " + octal_mode(change.after.mode);
  }
  bool is_plain =
      facts_of(change).type == EntryType::file || facts_of(change).type == EntryType::folder;
  return is_plain ? words : type_words(facts_of(change));
}

// The changes of a tree, with what lies in a folder that came or went told in one row.
class Rows {
 public:
  Rows(const Review& review, std::vector<Row>& rows) : review_(review), rows_(rows) {}

  void add(const ReviewedTree& tree) {
    tree_ = &tree.tree;
    close();
    for (const Change& change : tree.found.changes) {
      if (change.is_renamed_away || is_gits_own(change) || is_touched(change)) continue;
      bool is_below = folder_ != nullptr && change.kind == folder_->kind &&
                      change.path.starts_with(folder_->path + "/");
      if (is_below) {
        below_ += facts_of(change).type == EntryType::folder ? 0 : 1;
        bytes_ += facts_of(change).size;
        continue;
      }
      bool opens =
          change.kind != Change::Kind::changed && facts_of(change).type == EntryType::folder;
      // Byte by byte "a-b" stands between "a" and "a/b".
      if (opens || (folder_ != nullptr && change.path > folder_->path + "0")) close();
      if (opens) {
        folder_ = &change;
      } else {
        put(change, words_of(change));
      }
    }
    close();
    for (const auto& [folder, fold] : git_) {
      std::string path = shown_path(review_, *tree_, folder);
      rows_.push_back(
          {fold.is_deletion ? "-" : "*", name_words(path, {.type = EntryType::folder}),
           std::to_string(fold.files) + (fold.files == 1 ? " file" : " files") + " of git's own"});
    }
    git_.clear();
    if (touched_ > 0)
      rows_.push_back({"*", std::to_string(touched_) + (touched_ == 1 ? " file" : " files"),
                       touched_ == 1 ? "has another time alone" : "have other times alone"});
    touched_ = 0;
  }

 private:
  bool is_gits_own(const Change& change) {
    GitFold found = fold_git(change);
    if (found.folder.empty()) return false;
    Fold& fold = git_[found.folder];
    fold.is_deletion = found.is_deletion;
    fold.files += facts_of(change).type == EntryType::folder ? 0 : 1;
    return true;
  }

  bool is_touched(const Change& change) {
    touched_ += change.is_time_alone ? 1 : 0;
    return change.is_time_alone;
  }

  void close() {
    if (folder_ != nullptr) {
      std::string files = below_ == 1 ? " file, " : " files, ";
      put(*folder_, below_ == 0 ? "" : std::to_string(below_) + files + short_size(bytes_));
    }
    folder_ = nullptr;
    below_ = bytes_ = 0;
  }

  void put(const Change& change, std::string words) {
    std::string path = shown_path(review_, *tree_, change.path);
    rows_.push_back({mark_of(change), name_words(path, facts_of(change)), std::move(words)});
  }

  const Review& review_;
  std::vector<Row>& rows_;
  const ReviewTree* tree_ = nullptr;
  const Change* folder_ = nullptr;
  uint64_t below_ = 0, bytes_ = 0, touched_ = 0;
  struct Fold {
    bool is_deletion = false;
    uint64_t files = 0;
  };
  std::map<std::string, Fold> git_;  // by their folders
};

std::vector<Row> outside_rows(const Review& review, const std::vector<ReviewedTree>& trees) {
  std::vector<Row> rows;
  for (bool is_protected : {true, false}) {
    for (const ReviewedTree& tree : trees) {
      for (const RunsOutside& one : tree.outside) {
        if (one.is_protected != is_protected) continue;
        const Change& change = tree.found.changes[one.change];
        rows.push_back({mark_of(change),
                        name_words(shown_path(review, tree.tree, change.path), facts_of(change)),
                        harmless_line(one.why)});
      }
    }
  }
  return rows;
}

class Page {
 public:
  explicit Page(const SummaryShape& shape) : shape_(shape) {}

  void line(const std::string& text) { text_ += text + "\n"; }
  void heading(const std::string& text, const char* colour) {
    line(shape_.colours ? colour + text + "\x1b[0m" : text);
  }

  void rows(const std::vector<Row>& rows, size_t most) {
    // One more than fits is shown, not counted.
    size_t shown = rows.size() <= most + 1 ? rows.size() : most;
    size_t width = 0;
    for (size_t i = 0; i < shown; i++)
      width = std::max(width, std::min(kWidestName, layout::columns(rows[i].name)));
    for (size_t i = 0; i < shown; i++) {
      std::string name = rows[i].words.empty() ? rows[i].name : layout::pad(rows[i].name, width);
      line("  " + coloured(rows[i].mark) + " " + name +
           (rows[i].words.empty() ? "" : "  " + rows[i].words));
    }
    if (shown < rows.size()) line("  … and " + std::to_string(rows.size() - shown) + " more");
  }

  std::string take() { return std::move(text_); }

 private:
  std::string coloured(const std::string& mark) const {
    if (!shape_.colours) return mark;
    const char* colour = mark == "+" ? "\x1b[32m" : mark == "-" ? "\x1b[31m" : "\x1b[33m";
    return colour + mark + "\x1b[0m";
  }

  SummaryShape shape_;
  std::string text_;
};

void add_unread(const Review& review, const std::vector<ReviewedTree>& trees, Page& page) {
  std::vector<Row> rows;
  for (const ReviewedTree& tree : trees) {
    for (const Unread& one : tree.found.unread)
      rows.push_back({"?", name_words(shown_path(review, tree.tree, one.path), {}), one.why});
  }
  if (rows.empty()) return;
  page.heading("could not be looked at, and may hold more:", "\x1b[31m");
  page.rows(rows, kMostOutside);
}

}  // namespace

std::string file_words(const ChangeCounts& counts) {
  std::vector<std::string> parts;
  auto add = [&](uint64_t count, const char* what) {
    if (count > 0) parts.push_back(std::to_string(count) + what);
  };
  add(counts.added, " added");
  add(counts.changed, " changed");
  add(counts.deleted, " deleted");
  add(counts.renamed, " renamed");
  if (parts.empty()) {
    add(counts.folders, counts.folders == 1 ? " folder" : " folders");
    add(counts.times, counts.times == 1 ? " time of a file" : " times of files");
  }
  return parts.empty() ? "nothing" : text::join(parts, ", ");
}

std::string count_words(const ChangeCounts& counts) {
  bool has_files = counts.added + counts.changed + counts.deleted + counts.renamed > 0;
  if (!has_files) return "no file changed";
  return file_words(counts) +
         (counts.bytes > 0 ? ", " + short_size(counts.bytes) + " to take over" : "");
}

std::string summarize(const Review& review, const std::vector<ReviewedTree>& trees,
                      const SummaryShape& shape) {
  std::string name = text::quote(review.name);
  Page page(shape);
  std::vector<Row> rows;
  Rows collector(review, rows);
  bool is_whole = true, is_touched_alone = true;
  for (const ReviewedTree& tree : trees) {
    collector.add(tree);
    is_whole &= tree.found.unread.empty();
    is_touched_alone &= std::ranges::all_of(tree.found.changes, &Change::is_time_alone);
  }
  if (is_touched_alone && is_whole) {
    page.line("the run " + name + " has changed nothing in " + text::quote(review.workspace));
    return page.take();
  }
  std::vector<Row> outside = outside_rows(review, trees);
  if (!outside.empty()) {
    page.heading("runs outside later:", "\x1b[1;31m");
    page.rows(outside, kMostOutside);
  }
  add_unread(review, trees, page);
  page.heading(
      count_words(count_changes(trees)) + "; " + text::quote(review.workspace) + " is as it was:",
      "\x1b[1m");
  page.rows(rows, shape.most_lines);
  page.line("  ringwall diff " + name + "     line by line");
  page.line("  ringwall apply " + name + "    take it over");
  page.line("  ringwall discard " + name + "  throw it away");
  return page.take();
}

events::FilesChanged files_changed(const Review& review, const std::vector<ReviewedTree>& trees) {
  ChangeCounts counts = count_changes(trees);
  return {review.name,  counts.added, counts.changed, counts.deleted, counts.renamed,
          counts.bytes, true};
}

}  // namespace ringwall::review
