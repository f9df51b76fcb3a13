#include "session/apply_review.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "clients/run_control.h"
#include "state/tree_work.h"
#include "undo/kept_run.h"
#include "undo/manifest.h"
#include "undo/originals.h"
#include "undo/outcome.h"
#include "undo/put_back.h"

namespace ringwall::session {
namespace {

using review::ApplyItem;
using review::ApplyTree;

constexpr const char* kApplying = "applying";

undo::KeptRun entry_of(const review::Review& review) {
  undo::KeptRun as;
  as.started = undo::now_in_milliseconds();
  as.id = undo::make_id(review.name, as.started);
  as.name = review.name;
  as.kind = undo::KeptRun::Kind::apply;
  as.workspace = review.workspace;
  as.command = review.command;
  return as;
}

Result<Fd> open_undo(const state::Places& places) {
  return file::make_dirs(state::undo_folder(places));
}

// Who works behind walls may have open what is replaced, and must not get at what is kept.
bool is_anybody_at_work() {
  auto names = clients::list_run_names();
  return !names || !names->empty();
}

// What is replaced stays in the journals where that can be, and is taken from there.
void choose_what_to_take(int undo, std::vector<ApplyTree>& trees) {
  bool is_calm = !is_anybody_at_work();
  for (ApplyTree& tree : trees)
    tree.keeps_replaced = is_calm && undo::can_take(undo, tree.real.get());
}

std::vector<undo::OriginalsIn> originals_of(const std::vector<ApplyTree>& trees) {
  std::vector<undo::OriginalsIn> originals;
  for (const ApplyTree& tree : trees) {
    undo::OriginalsIn in{tree.tree.path, tree.real.get()};
    for (const ApplyItem& item : tree.items) {
      if (item.is_chosen && item.change.before.exists())
        in.entries.push_back({item.change.path, item.change.before});
    }
    in.is_taken = tree.keeps_replaced;
    originals.push_back(std::move(in));
  }
  return originals;
}

Error no_room(const state::Places& places, Error error) {
  bool is_full = error.err == ENOSPC || error.err == EDQUOT;
  if (!is_full) return error;
  error.what = "nothing was taken over: there is no room to keep what would be replaced, for undo";
  error.hint =
      "make room where " + text::quote(state::undo_folder(places)) + " lies, and do it again";
  return error;
}

// The entry with all that it needs to be undone, before anything is touched.
Result<Fd> begin(const state::Places& places, int undo, const undo::KeptRun& as, int review,
                 const std::vector<ApplyTree>& trees) {
  TRY_ASSIGN(Fd lock, undo::lock_store(undo, undo::LockMode::shared));
  auto folder = undo::make_kept_run(undo, as);
  Status kept = folder ? undo::keep_originals(undo, folder->get(), originals_of(trees))
                       : Status(std::unexpected(folder.error()));
  if (kept) kept = file::replace_at(review, kApplying, as.id);
  if (kept) return folder;
  if (folder) (void)undo::remove_kept_run(undo, as.id);  // the first error is the one that counts
  return std::unexpected(no_room(places, kept.error()));
}

Status forget_applying(int review) {
  if (unlinkat(review, kApplying, 0) < 0 && errno != ENOENT)
    return fail_errno("cannot change the review");
  return {};
}

// After the transactions. Each part can be repeated by who comes after one that was killed.
Result<AppliedReview> conclude(const state::Places& places, const review::Review& review,
                               int folder, int entry, review::Applied applied) {
  TRY_ASSIGN(Fd undo, open_undo(places));
  AppliedReview done{std::move(applied)};
  TRY_ASSIGN(undo::Manifest manifest, undo::read_manifest(entry));
  TRY_ASSIGN(std::vector<Fd> trees, undo::open_trees(manifest));
  TRY(undo::finish_act(undo.get(), entry, trees, {is_anybody_at_work()}));
  done.unkept = undo::find_unkept(entry);
  TRY(forget_applying(folder));
  TRY_ASSIGN(done.is_review_gone,
             review::close_applied(state::reviews_folder(places), folder, review, done.applied));
  return done;
}

Result<std::string> read_applying(int folder) {
  TRY_ASSIGN(Fd note, file::open_beneath(folder, kApplying, O_RDONLY | O_NOFOLLOW));
  return file::read_all(note.get(), 4096);
}

// An entry that tells of nothing.
bool is_without_effect(const review::Applied& applied) {
  return std::ranges::all_of(applied.trees, [](const review::AppliedTree& tree) {
    return std::ranges::all_of(tree.report, [](const changes::StepReport& step) {
      return step.outcome != changes::Outcome::done && step.kept.empty();
    });
  });
}

}  // namespace

bool has_interrupted_apply(int folder) { return faccessat(folder, kApplying, F_OK, 0) == 0; }

Result<AppliedReview> apply_review(const state::Places& places, const review::Review& review,
                                   int folder, std::vector<ApplyTree>& trees,
                                   const review::ApplyOptions& options) {
  TRY_ASSIGN(Fd undo, open_undo(places));
  undo::KeptRun as = entry_of(review);
  choose_what_to_take(undo.get(), trees);
  TRY_ASSIGN(Fd entry, begin(places, undo.get(), as, folder, trees));
  auto journals = undo::open_journals(entry.get());
  auto applied = journals ? review::apply_chosen({folder, journals->get()}, trees, options)
                          : std::unexpected(journals.error());
  if (applied) {
    bool is_nothing = is_without_effect(*applied);
    TRY_ASSIGN(AppliedReview done,
               conclude(places, review, folder, entry.get(), std::move(*applied)));
    if (is_nothing) TRY(undo::remove_kept_run(undo.get(), as.id));
    return done;
  }
  Error error = applied.error();
  auto state = undo::look_at_act(entry.get());
  if (state && *state == undo::ActState::untouched) {
    TRY(forget_applying(folder));
    TRY(undo::remove_kept_run(undo.get(), as.id));
    error.what = "nothing was taken over: " + error.what;
    bool is_full = error.err == ENOSPC || error.err == EDQUOT;
    if (is_full)
      error.hint = "make room where " + text::quote(review.workspace) + " and " +
                   text::quote(places.state) + " lie, and do it again";
  } else {
    error.what = "not everything was taken over: " + error.what;
    error.hint = "to finish it: ringwall apply " + text::quote(review.name) +
                 "; then, to go back: ringwall undo " + text::quote(review.name);
  }
  return std::unexpected(error);
}

Result<AppliedReview> finish_apply(const state::Places& places, const review::Review& review,
                                   int folder) {
  auto id = read_applying(folder);
  if (!id && id.error().err == ENOENT) return AppliedReview{};
  if (!id) return std::unexpected(id.error());
  TRY_ASSIGN(Fd undo, open_undo(places));
  auto entry = undo::open_kept_run(undo.get(), *id);
  // It was finished as far as that can be without its review, and may be gone since.
  if (!entry) {
    TRY(forget_applying(folder));
    return AppliedReview{};
  }
  state::Trees trees;
  for (const review::ReviewTree& tree : review.trees)
    trees.push_back(tree.path);
  TRY_ASSIGN(state::Placing placing, state::Placing::begin(places, trees));
  TRY_ASSIGN(Fd ours, undo::take_over(entry->get()));
  TRY_ASSIGN(undo::ActState state, undo::look_at_act(entry->get()));
  auto outcome = undo::read_outcome(entry->get());
  bool is_untouched =
      state == undo::ActState::untouched && !outcome && outcome.error().err == ENOENT;
  TRY_ASSIGN(Fd journals, undo::open_journals(entry->get()));
  TRY_ASSIGN(review::Applied applied, review::resume_apply({folder, journals.get()}, review));
  if (is_untouched) {
    TRY(forget_applying(folder));
    TRY(undo::remove_kept_run(undo.get(), *id));
    return AppliedReview{};
  }
  return conclude(places, review, folder, entry->get(), std::move(applied));
}

namespace {

struct Finishing {
  std::vector<std::string> lines;
  bool is_all = true;  // nothing is left that was begun

  void tell_broken(std::string line) {
    lines.push_back(std::move(line));
    is_all = false;
  }
};

void finish_applies(const state::Places& places, Finishing& finishing) {
  std::string all = state::reviews_folder(places);
  auto reviews = review::list_reviews(all);
  if (!reviews) finishing.is_all = false;
  for (size_t i = 0; reviews && i < reviews->size(); i++) {
    const review::Review& review = (*reviews)[i];
    auto folder = review::open_review(all, review.name);
    if (!folder || !has_interrupted_apply(folder->get())) continue;
    auto lock = review::lock_review(folder->get());
    if (!lock) finishing.is_all = false;  // it is going on
    if (!lock) continue;
    auto done = finish_apply(places, review, folder->get());
    if (!done)
      finishing.tell_broken("cannot finish an apply of " + text::quote(review.name) + ": " +
                            done.error().text());
    else if (!done->applied.trees.empty())
      finishing.lines.push_back("finished an apply of " + text::quote(review.name) +
                                " that was interrupted");
  }
}

void finish_acts(const state::Places& places, Finishing& finishing) {
  auto undo = file::open(state::undo_folder(places), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  auto lock =
      undo ? undo::lock_store(undo->get(), undo::LockMode::shared) : std::unexpected(undo.error());
  // Without a history nothing was begun.
  if (!lock && lock.error().err != ENOENT) finishing.is_all = false;
  if (!lock) return;
  auto finished = undo::finish_interrupted(undo->get(), {is_anybody_at_work()});
  if (!finished) return finishing.tell_broken(finished.error().text());
  for (const std::string& id : finished->ids)
    finishing.lines.push_back("finished " + text::quote(id) + ", which was interrupted");
  for (const Error& error : finished->broken)
    finishing.tell_broken(error.text());
  for (const std::string& name : undo::list_damaged(undo->get()))
    finishing.lines.push_back("passed over " + text::quote(name) +
                              " of the history, which is damaged; to remove it: ringwall clean");
}

state::Trees trees_of(const std::vector<state::KilledPlacing>& killed) {
  state::Trees trees;
  for (const state::KilledPlacing& placing : killed)
    trees.insert(trees.end(), placing.trees.begin(), placing.trees.end());
  return trees;
}

}  // namespace

std::vector<std::string> finish_interrupted(const state::Places& places) {
  auto killed = state::find_killed_placings(places);
  Finishing finishing;
  // Who starts a run there waits for us. Without it, they are finished all the same.
  std::optional<state::Placing> placing;
  if (killed && !killed->empty()) {
    if (auto begun = state::Placing::begin(places, trees_of(*killed)))
      placing.emplace(std::move(*begun));
  }
  finish_applies(places, finishing);
  finish_acts(places, finishing);
  if (killed && finishing.is_all) state::forget_placings(places, *killed);
  return finishing.lines;
}

void finish_killed(const state::Places& places) {
  auto killed = state::find_killed_placings(places);
  // What cannot be finished is told with the history, and no run starts where it lies.
  if (killed && !killed->empty()) (void)finish_interrupted(places);
}

}  // namespace ringwall::session
