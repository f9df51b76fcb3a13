#include "review/apply.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <map>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "base/tree.h"
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

constexpr const char* kJournals = "apply";

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

bool did_something(const Report& report) {
  return std::ranges::any_of(report, [](const StepReport& step) {
    return step.outcome == Outcome::done || !step.kept.empty();
  });
}

// The folder of one apply among what is kept, made when it is needed.
class KeptFolder {
 public:
  KeptFolder(const ApplyPlaces& places, const Review& review) : places_(places), review_(review) {}

  Status take(int journals, const ReviewTree& tree) {
    TRY(make());
    TRY_ASSIGN(Fd journal, file::open_beneath(journals, tree.layer, O_RDONLY | O_DIRECTORY));
    TRY(file::replace_at(journal.get(), "tree", tree.path));
    if (renameat(journals, tree.layer.c_str(), folder_.get(), tree.layer.c_str()) < 0)
      return fail_errno("cannot keep what was replaced");
    return {};
  }
  const std::string& path() const { return path_; }

 private:
  Status make() {
    if (folder_) return {};
    TRY_ASSIGN(Fd all, file::make_dirs(places_.kept));
    std::string id = review_.name + "@" + std::to_string(time(nullptr));
    std::string name = id;
    for (int count = 2; mkdirat(all.get(), name.c_str(), 0700) < 0; count++) {
      if (errno != EEXIST) return fail_errno("cannot keep what was replaced");
      name = id + "." + std::to_string(count);
    }
    TRY_ASSIGN(folder_, file::open_beneath(all.get(), name, O_RDONLY | O_DIRECTORY));
    path_ = path::join(places_.kept, name);
    return file::replace_at(folder_.get(), "manifest.json", encode(review_));
  }

  const ApplyPlaces& places_;
  const Review& review_;
  Fd folder_;
  std::string path_;
};

// What comes after a transaction. It can be repeated: the journal goes last.
Status settle(int journals, const ApplyTree& tree, const Report& report, bool drops,
              KeptFolder& kept) {
  if (drops) TRY(drop_applied(tree.upper.get(), tree.real.get(), report));
  if (did_something(report)) return kept.take(journals, tree.tree);
  TRY_ASSIGN(Fd journal, file::open_beneath(journals, tree.tree.layer, O_RDONLY | O_DIRECTORY));
  TRY(changes::forget(tree.real.get(), journal.get()));
  return tree::remove_at(journals, tree.tree.layer);
}

bool is_all_done(const std::vector<ApplyTree>& trees, const Applied& applied) {
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

}  // namespace

Result<Fd> lock_review(int folder) {
  Fd own(openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!own) return fail_errno("cannot open the review");
  if (flock(own.get(), LOCK_EX | LOCK_NB) == 0) return own;
  return fail("another process is at work with this review", "wait for its end");
}

Result<Applied> apply_chosen(const ApplyPlaces& places, const Review& review,
                             std::vector<ApplyTree>& trees, const ApplyOptions& options) {
  changes::TransactionOptions how;
  how.leaves_out_conflicts = options.leaves_out_conflicts;
  how.before_act = options.before_act;
  TRY_ASSIGN(Fd journals, file::make_dirs_at(places.folder, kJournals));
  Applied applied;
  Status failed;
  std::vector<const ApplyTree*> done;
  for (const ApplyTree& tree : trees) {
    std::vector<Step> steps = steps_of(tree);
    if (steps.empty()) continue;
    for (const ApplyItem& item : tree.items) {
      bool is_new = !item.is_chosen && !item.change.before.exists();
      if (is_new && item.state != ApplyItem::State::gone)
        forget_origin(tree.upper.get(), item.change.path);
    }
    TRY_ASSIGN(Fd journal, file::make_dirs_at(journals.get(), tree.tree.layer));
    auto report = changes::put_in_place(tree.real.get(), journal.get(), steps, how);
    if (!report) failed = std::unexpected(report.error());
    if (!failed) break;
    applied.trees.push_back({tree.tree, std::move(*report)});
    done.push_back(&tree);
  }
  bool is_over = failed && is_all_done(trees, applied);
  KeptFolder kept(places, review);
  for (size_t at = 0; at < done.size(); at++)
    TRY(settle(journals.get(), *done[at], applied.trees[at].report, !is_over, kept));
  applied.kept = kept.path();
  // A tree that failed may have left a journal, which waits.
  unlinkat(places.folder, kJournals, AT_REMOVEDIR);
  TRY(failed);
  if (!is_over) {
    TRY_ASSIGN(bool has_more, has_rest(places.folder, review));
    is_over = !has_more;
  }
  for (size_t at = 0; at < done.size() && !is_over; at++)
    TRY(note_apply(places.folder, done[at]->tree, done[at]->real.get()));
  if (is_over) TRY(remove_review(places.reviews, review.name));
  applied.is_review_gone = is_over;
  return applied;
}

Result<Applied> finish_interrupted(const ApplyPlaces& places, const Review& review) {
  Applied applied;
  auto journals = file::open_beneath(places.folder, kJournals, O_RDONLY | O_DIRECTORY);
  if (!journals && journals.error().err == ENOENT) return applied;
  if (!journals) return std::unexpected(journals.error());
  KeptFolder kept(places, review);
  for (const ReviewTree& of : review.trees) {
    auto journal = file::open_beneath(journals->get(), of.layer, O_RDONLY | O_DIRECTORY);
    if (!journal) continue;
    TRY_ASSIGN(ApplyTree tree, open_tree(places.folder, of));
    TRY_ASSIGN(std::optional<Report> report, resume_tree(tree, journal->get()));
    if (!report) {
      TRY(tree::remove_at(journals->get(), of.layer));
      continue;
    }
    TRY(settle(journals->get(), tree, *report, true, kept));
    TRY(note_apply(places.folder, of, tree.real.get()));
    applied.trees.push_back({of, std::move(*report)});
  }
  TRY(tree::remove_at(places.folder, kJournals));
  applied.kept = kept.path();
  if (applied.trees.empty()) return applied;
  TRY_ASSIGN(bool has_more, has_rest(places.folder, review));
  if (!has_more) TRY(remove_review(places.reviews, review.name));
  applied.is_review_gone = !has_more;
  return applied;
}

}  // namespace ringwall::review
