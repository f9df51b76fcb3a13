#include "review/apply.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <map>

#include "base/file.h"
#include "review/apply_layer.h"
#include "review/bases.h"

namespace ringwall::review {
namespace {

using changes::EntryType;
using changes::JournalState;
using changes::Outcome;
using changes::Report;
using changes::Step;
using changes::StepReport;

std::vector<Step> steps_of(const ApplyTree& tree) {
  std::vector<Step> steps;
  std::map<std::pair<uint64_t, uint64_t>, size_t> first;
  for (const ApplyItem& item : tree.items) {
    if (!item.is_chosen) continue;
    const changes::EntryFacts& after = item.change.after;
    Step step;
    step.path = item.change.path;
    step.wanted = after.type;
    step.mode = after.mode;
    step.modified = after.modified;
    step.expected = item.change.before;
    if (after.exists()) {
      step.source_folder = tree.upper.get();
      step.source = step.path;
      step.may_share = true;
    }
    if (after.type == EntryType::file && after.links > 1) {
      auto [known, is_new] = first.try_emplace({after.device, after.inode}, steps.size());
      if (!is_new) step.same_file_as = known->second;
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

bool is_whole(const std::vector<ApplyTree>& trees, const Applied& applied) {
  size_t items = 0, done = 0;
  for (const ApplyTree& tree : trees) {
    items += tree.items.size();
    if (!tree.unread.empty()) return false;
  }
  for (const AppliedTree& tree : applied.trees) {
    done +=
        static_cast<size_t>(std::ranges::count(tree.report, Outcome::done, &StepReport::outcome));
  }
  return items == done;
}

// Of an apply of a part, or one that was interrupted.
Result<bool> has_rest(int folder, const Review& review) {
  for (const ReviewTree& tree : review.trees) {
    TRY_ASSIGN(LayerChanges left, read_tree_changes(folder, review, tree));
    if (!left.changes.empty() || !left.unread.empty()) return true;
  }
  return false;
}

Result<ApplyTree> open_tree(int folder, const ReviewTree& of) {
  ApplyTree tree{of, {}, {}, {}, {}};
  TRY_ASSIGN(tree.real, open_real(of));
  TRY_ASSIGN(tree.upper, open_upper(folder, of));
  return tree;
}

// Nothing in the result: it had not begun.
Result<std::optional<Report>> resume_tree(const ApplyTree& tree, int journal) {
  TRY_ASSIGN(JournalState state, changes::look_at_journal(journal));
  if (state == JournalState::empty) return std::nullopt;
  if (state == JournalState::staging) {
    TRY(changes::forget(tree.real.get(), journal));
    return std::nullopt;
  }
  TRY_ASSIGN(Report report, changes::resume(tree.real.get(), journal));
  return report;
}

// An error has no report: all may have been put back.
void settle_failed(int folder, const ApplyTree& tree) {
  std::vector<Seen> seen;
  for (const ApplyItem& item : tree.items)
    seen.emplace_back(item.change.path, item.change.before);
  // Without it, they are conflicts.
  (void)note_own_times(folder, tree.tree, tree.real.get(), seen);
}

// What stays of what was looked at: put back, or not chosen, and so maybe a second name.
std::vector<Seen> seen_before(const ApplyTree& tree, const Report& report) {
  std::vector<Seen> seen;
  for (const changes::StepReport& step : report)
    if (step.outcome == changes::Outcome::untouched) seen.emplace_back(step.path, step.before);
  for (const ApplyItem& item : tree.items)
    if (!item.is_chosen && item.change.before.links > 1)
      seen.emplace_back(item.change.path, item.change.before);
  return seen;
}

// What comes after a transaction, and before it is noted: a file that loses its name in the layer
// has a new ctime. It can be repeated.
Status settle(int folder, const ApplyTree& tree, const Report& report) {
  TRY(drop_applied(tree.upper.get(), tree.real.get(), report));
  TRY(note_own_times(folder, tree.tree, tree.real.get(), seen_before(tree, report)));
  return note_apply(folder, tree.tree, tree.real.get());
}

// New files that stay in the layer: see apply_layer.h.
void forget_origins(const ApplyTree& tree) {
  for (const ApplyItem& item : tree.items) {
    bool is_new = !item.is_chosen && !item.change.before.exists();
    if (is_new && item.state != ApplyItem::State::gone)
      forget_origin(tree.upper.get(), item.change.path);
  }
}

Status keep_doubtful_folders(int folder, const ApplyTree& tree) {
  std::vector<std::string> paths;
  for (const ApplyItem& item : tree.items) {
    bool is_folder =
        item.change.before.type == EntryType::folder && item.change.after.type == EntryType::folder;
    if (is_folder && item.state == ApplyItem::State::held) paths.push_back(item.change.path);
  }
  return keep_doubtful(folder, tree.tree, paths);
}

}  // namespace

Result<Fd> lock_review(int folder) {
  Fd own(openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!own) return fail_errno("cannot open the review");
  if (flock(own.get(), LOCK_EX | LOCK_NB) == 0) return own;
  return fail("another process is at work with this review", "wait for its end");
}

Result<Applied> apply_chosen(const ApplyPlaces& places, std::vector<ApplyTree>& trees,
                             const ApplyOptions& options) {
  changes::TransactionOptions how;
  how.leaves_out_conflicts = options.leaves_out_conflicts;
  how.before_act = options.before_act;
  Applied applied;
  for (size_t at = 0; at < trees.size(); at++) {
    const ApplyTree& tree = trees[at];
    std::vector<Step> steps = steps_of(tree);
    if (steps.empty()) continue;
    TRY(keep_doubtful_folders(places.folder, tree));
    forget_origins(tree);
    how.keeps_replaced = tree.keeps_replaced;
    TRY_ASSIGN(Fd journal, file::make_dirs_at(places.journals, std::to_string(at)));
    auto report = changes::put_in_place(tree.real.get(), journal.get(), steps, how);
    if (!report) {
      settle_failed(places.folder, tree);
      return std::unexpected(report.error());
    }
    TRY(settle(places.folder, tree, *report));
    applied.trees.push_back({tree.tree, std::move(*report)});
  }
  applied.is_whole = is_whole(trees, applied);
  return applied;
}

Result<Applied> resume_apply(const ApplyPlaces& places, const Review& review) {
  Applied applied;
  for (size_t at = 0; at < review.trees.size(); at++) {
    auto journal = file::open_beneath(places.journals, std::to_string(at), O_RDONLY | O_DIRECTORY);
    if (!journal) continue;
    TRY_ASSIGN(ApplyTree tree, open_tree(places.folder, review.trees[at]));
    TRY_ASSIGN(std::optional<Report> report, resume_tree(tree, journal->get()));
    if (!report) continue;
    TRY(settle(places.folder, tree, *report));
    applied.trees.push_back({tree.tree, std::move(*report)});
  }
  return applied;
}

Result<bool> close_applied(const std::string& reviews, int folder, const Review& review,
                           const Applied& applied) {
  if (!applied.is_whole) {
    TRY_ASSIGN(bool has_more, has_rest(folder, review));
    if (has_more) return false;
  }
  TRY(remove_review(reviews, review.name));
  return true;
}

}  // namespace ringwall::review
