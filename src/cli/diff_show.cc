#include "cli/diff_show.h"

#include <algorithm>
#include <boost/json.hpp>
#include <map>
#include <unordered_map>

#include "base/layout.h"
#include "base/path.h"
#include "base/text.h"
#include "review/bases.h"
#include "review/change_diff.h"
#include "review/change_words.h"
#include "review/summary.h"

namespace ringwall::cli {
namespace {

using changes::Change;
using changes::EntryFacts;
using review::DiffLine;
using review::ReviewedTree;
using review::RunsOutside;

const EntryFacts& facts_of(const Change& change) {
  return change.after.exists() ? change.after : change.before;
}

const char* kind_of(const Change& change) {
  if (!change.renamed_from.empty()) return "renamed";
  if (change.kind == Change::Kind::added) return "added";
  return change.kind == Change::Kind::deleted ? "deleted" : "changed";
}

// One change, with all that is known of it.
struct Shown {
  const ReviewedTree* tree;
  const Change* change;
  const RunsOutside* outside;  // null: nothing
  bool is_conflict;
};

class Screen {
 public:
  Screen(int folder, const review::Review& review, const DiffShape& shape, Pager& pager)
      : folder_(folder), review_(review), shape_(shape), style_(shape.style), pager_(pager) {}

  void choose(const std::vector<ReviewedTree>& trees) {
    for (const ReviewedTree& tree : trees) {
      std::unordered_map<size_t, const RunsOutside*> outside;
      for (const RunsOutside& one : tree.outside)
        outside[one.change] = &one;
      review::OutsideLook look(folder_, tree.tree, tree.real.get());
      for (size_t i = 0; i < tree.found.changes.size(); i++) {
        const Change& change = tree.found.changes[i];
        if (!is_wanted(tree.tree, change.path) || look.is_others_alone(change)) continue;
        shown_.push_back(
            {&tree, &change, outside.contains(i) ? outside[i] : nullptr, look.was_changed(change)});
      }
    }
  }

  bool show(const std::vector<ReviewedTree>& trees) {
    if (shape_.kind != DiffShape::Kind::json) show_top(trees);
    for (const Shown& one : shown_) {
      bool is_json = shape_.kind == DiffShape::Kind::json;
      if (!is_json && (one.change->is_renamed_away || is_gits_own(one) || is_touched(one)))
        continue;
      if (shape_.kind == DiffShape::Kind::json) show_json(one);
      if (shape_.kind == DiffShape::Kind::stat) show_stat(one);
      if (shape_.kind == DiffShape::Kind::lines) show_lines(one);
      if (pager_.is_closed()) return true;
    }
    for (const auto& [folder, fold] : git_)
      line(fold.first ? style_.red : style_.dim,
           "and " + std::to_string(fold.second) + (fold.first ? " deleted" : "") +
               " of git's own: ringwall diff " + text::quote(review_.name) + " -- " +
               text::quote(folder));
    if (touched_ > 0)
      line(style_.dim, "and " + std::to_string(touched_) + " with another time alone");
    if (shape_.kind == DiffShape::Kind::stat) line("", review::count_words(count_shown()));
    return shape_.paths.empty() || !shown_.empty();
  }

 private:
  review::ChangeCounts count_shown() const {
    review::ChangeCounts counts;
    for (const Shown& one : shown_)
      review::count_change(*one.change, counts);
    return counts;
  }

  bool is_wanted(const review::ReviewTree& tree, const std::string& path) const {
    if (shape_.paths.empty()) return true;
    std::string whole = path::join(tree.path, path);
    return std::ranges::any_of(
        shape_.paths, [&](const std::string& wanted) { return path::is_beneath(whole, wanted); });
  }

  // Unless the person asks for it, or it needs attention.
  bool is_gits_own(const Shown& one) {
    if (!shape_.paths.empty() || one.outside != nullptr || one.is_conflict) return false;
    review::GitFold fold = review::fold_git(*one.change);
    if (fold.folder.empty()) return false;
    auto& [is_deletion, files] = git_[path::join(one.tree->tree.path, fold.folder)];
    is_deletion = fold.is_deletion;
    files += facts_of(*one.change).type == changes::EntryType::folder ? 0 : 1;
    return true;
  }

  // Unless the person asks for it.
  bool is_touched(const Shown& one) {
    if (!shape_.paths.empty() || !one.change->is_time_alone) return false;
    touched_++;
    return true;
  }

  void line(std::string_view colour, const std::string& text) {
    std::string_view plain = colour.empty() ? std::string_view() : style_.plain;
    std::string whole = std::string(colour) + text + std::string(plain) + "\n";
    fwrite(whole.data(), 1, whole.size(), pager_.out());
  }

  std::string name_of(const Shown& one) const {
    return review::name_words(review::shown_path(review_, one.tree->tree, one.change->path),
                              facts_of(*one.change));
  }

  void show_top(const std::vector<ReviewedTree>& trees) {
    show_marked(
        "runs outside later:", [](const Shown& one) { return one.outside != nullptr; },
        [](const Shown& one) { return review::harmless_line(one.outside->why); });
    show_marked(
        "changed here too since the run began (conflicts):",
        [](const Shown& one) { return one.is_conflict; },
        [](const Shown&) { return std::string(); });
    bool is_first = true;
    for (const ReviewedTree& tree : trees) {
      for (const review::Unread& one : tree.found.unread) {
        if (std::exchange(is_first, false))
          line(style_.red, "could not be looked at, and may hold more:");
        std::string path = review::shown_path(review_, tree.tree, one.path);
        line("", "  " + review::name_words(path, {}) + "  " + one.why);
      }
    }
  }

  template <class Wanted, class Words>
  void show_marked(const char* heading, Wanted wanted, Words words) {
    bool is_first = true;
    for (const Shown& one : shown_) {
      if (!wanted(one)) continue;
      if (std::exchange(is_first, false)) line(style_.red, heading);
      std::string said = words(one);
      line("", "  " + name_of(one) + (said.empty() ? "" : "  " + said));
    }
    if (!is_first) line("", "");
  }

  review::ChangeDiff diff(const Shown& one) {
    std::optional<std::string> base;
    if (one.is_conflict) base = review::read_base(folder_, one.tree->tree, one.change->path);
    return review::diff_change(
        *one.change,
        {one.tree->upper.get(), one.tree->real.get(), one.is_conflict, std::move(base)}, budget_);
  }

  void show_stat(const Shown& one) {
    review::ChangeDiff found = diff(one);
    std::string counts;
    if (found.text.added + found.text.removed > 0)
      counts = "+" + std::to_string(found.text.added) + " -" + std::to_string(found.text.removed);
    std::vector<std::string> words = found.remarks;
    if (!counts.empty()) words.insert(words.begin(), counts);
    line("", layout::pad(kind_of(*one.change), 7) + "  " + name_of(one) +
                 (words.empty() ? "" : "  " + text::join(words, ", ")));
  }

  void show_lines(const Shown& one) {
    review::ChangeDiff found = diff(one);
    line(style_.bold, std::string(kind_of(*one.change)) + " " + name_of(one));
    for (const std::string& remark : found.remarks)
      line(style_.yellow, "  " + remark);
    if (found.is_unshown && one.change->after.exists()) {
      std::string path = path::join(one.tree->tree.path, one.change->path);
      line(style_.yellow, "  to see it: ringwall shell " + text::quote(review_.name) + " -- cat " +
                              text::quote(path));
    }
    for (const DiffLine& each : found.text.lines)
      line(colour_of(each.kind), each.text);
  }

  std::string_view colour_of(DiffLine::Kind kind) const {
    switch (kind) {
      case DiffLine::Kind::added:
        return style_.green;
      case DiffLine::Kind::removed:
        return style_.red;
      case DiffLine::Kind::conflict:
        return style_.yellow;
      case DiffLine::Kind::place:
      case DiffLine::Kind::remark:
        return style_.dim;
      case DiffLine::Kind::same:
        break;
    }
    return "";
  }

  void show_json(const Shown& one) {
    const Change& change = *one.change;
    auto side = [](const EntryFacts& facts) -> boost::json::value {
      if (!facts.exists()) return nullptr;
      return boost::json::object{{"type", review::type_words(facts).substr(2)},
                                 {"mode", review::octal_mode(facts.mode)},
                                 {"size", facts.size}};
    };
    boost::json::object out{{"path", path::join(one.tree->tree.path, change.path)},
                            {"change", kind_of(change)},
                            {"before", side(change.before)},
                            {"after", side(change.after)},
                            {"conflict", one.is_conflict}};
    if (!change.renamed_from.empty())
      out["renamed_from"] = path::join(one.tree->tree.path, change.renamed_from);
    if (change.is_renamed_away) out["renamed_away"] = true;
    if (one.outside != nullptr)
      out["runs_outside"] =
          boost::json::object{{"protected", one.outside->is_protected}, {"why", one.outside->why}};
    fprintf(pager_.out(), "%s\n", text::harmless_json(boost::json::serialize(out)).c_str());
  }

  int folder_;
  const review::Review& review_;
  const DiffShape& shape_;
  const Style& style_;
  Pager& pager_;
  std::vector<Shown> shown_;
  // Files that are not shown, by their folder of git's, and whether they are deleted.
  std::map<std::string, std::pair<bool, uint64_t>> git_;
  size_t touched_ = 0;
  review::DiffBudget budget_;
};

}  // namespace

bool show_review(int folder, const review::Review& review, const std::vector<ReviewedTree>& trees,
                 const DiffShape& shape, Pager& pager) {
  Screen screen(folder, review, shape, pager);
  screen.choose(trees);
  return screen.show(trees);
}

}  // namespace ringwall::cli
