#include "changes/transaction.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "base/fd.h"
#include "base/file.h"
#include "base/tree.h"
#include "changes/commit.h"
#include "changes/exact_copy.h"
#include "changes/journal.h"
#include "changes/stage.h"
#include "changes/workplace.h"

namespace ringwall::changes {
namespace {

// One at a time: the lock is on an open folder of its own, and goes with its process.
Result<Fd> lock(int journal) {
  Fd own(openat(journal, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!own) return fail_errno("cannot open the journal");
  if (flock(own.get(), LOCK_EX | LOCK_NB) == 0) return own;
  if (errno == EWOULDBLOCK) return fail("another process is at work here", "wait for its end");
  return fail_errno("cannot lock the journal");
}

bool has_entry(int folder, const char* name) {
  return faccessat(folder, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

// What lies in a staging folder in the tree is copied: folders are empty, and the report has their
// facts.
Status copy_old(const Workplace& place, const Report& report) {
  if (mkdirat(place.journal(), kOldFolder, 0700) < 0 && errno != EEXIST)
    return fail_errno("cannot keep what was replaced");
  TRY_ASSIGN(Fd old, file::open_beneath(place.journal(), kOldFolder, O_RDONLY | O_DIRECTORY));
  for (const StepReport& step : report) {
    if (step.kept.empty() || !has_entry(place.staging(), step.kept.c_str())) continue;
    TRY(place.reach("keep"));
    if (step.before.type == EntryType::folder) {
      if (mkdirat(old.get(), step.kept.c_str(), 0700) < 0 && errno != EEXIST)
        return fail_errno("cannot keep what was replaced");
      continue;
    }
    // One that an interruption has left half is made anew.
    if (unlinkat(old.get(), step.kept.c_str(), 0) < 0 && errno != ENOENT)
      return fail_errno("cannot keep what was replaced");
    if (step.before.type == EntryType::other) continue;
    TRY(copy_entry({place.staging(), step.kept.c_str()}, step.before.type, old.get(), step.kept));
  }
  if (syncfs(old.get()) < 0) return fail_errno("cannot sync what was replaced");
  return {};
}

// What the report does not name as kept: new inodes that found no place, and carriers.
Status drop_unused(const Workplace& place, const Report& report) {
  std::set<std::string> kept;
  for (const StepReport& step : report)
    kept.insert(step.kept);
  TRY_ASSIGN(std::vector<file::Entry> entries, file::list(place.staging()));
  for (const file::Entry& entry : entries) {
    if (kept.contains(entry.name)) continue;
    TRY(place.reach("drop"));
    TRY(tree::remove_at(place.staging(), entry.name));
  }
  return {};
}

// After the report is written: nothing of the tree changes any more but a staging folder at its
// top.
Status clear_away(const Workplace& place, const Report& report) {
  TRY(drop_unused(place, report));
  if (place.staging_name().empty()) {
    TRY(place.reach("rename staging"));
    if (renameat(place.journal(), kStagedFolder, place.journal(), kOldFolder) < 0)
      return fail_errno("cannot keep what was replaced");
  } else {
    TRY(copy_old(place, report));
    TRY(place.reach("remove staging"));
    TRY(tree::remove_at(place.tree(), place.staging_name()));
  }
  return remove_plan(place.journal());
}

Result<Report> conclude(Workplace& place, const Plan& plan, Commit&& commit) {
  Report report = std::move(commit).take_report();
  for (StepReport& step : report)
    if (!plan.keeps_replaced && step.outcome == Outcome::done) step.kept.clear();
  TRY(place.sync());
  TRY(place.reach("write report"));
  TRY(write_report(place.journal(), report));
  TRY(clear_away(place, report));
  return report;
}

// What had not been begun needs no room, so that the way back from a full disk is mostly open; if
// it is not, the plan waits.
Status retreat(Workplace& place, const Plan& plan, Commit&& commit) {
  TRY(commit.go_back());
  if (commit.keeps_something()) {
    TRY(conclude(place, plan, std::move(commit)));
    return {};
  }
  TRY(place.sync());
  TRY(remove_plan(place.journal()));
  return forget(place.tree(), place.journal());
}

Result<Report> carry_out(Workplace& place, const Plan& plan) {
  Commit commit(place, plan);
  auto is_forward = commit.go_forward();
  if (!is_forward) {
    (void)retreat(place, plan, std::move(commit));  // the journal shows whether it could
    return std::unexpected(is_forward.error());
  }
  if (!*is_forward) TRY(commit.go_back());
  return conclude(place, plan, std::move(commit));
}

Result<Plan> open_plan(int tree, int journal) {
  TRY_ASSIGN(std::optional<Plan> plan, read_plan(journal));
  if (!plan) return fail("nothing was begun here");
  struct stat seen;
  if (fstat(tree, &seen) < 0) return fail_errno("cannot look at the tree");
  if (seen.st_ino != plan->inode) return fail("the folder is not the one in which this was begun");
  // A filesystem may have another number after the machine was started anew.
  for (PlannedStep& step : plan->steps)
    if (step.expected.device == plan->device) step.expected.device = seen.st_dev;
  plan->device = seen.st_dev;
  return std::move(*plan);
}

// Of a report that is written: what may be left to do after it.
Result<Report> complete(int tree, int journal, const TransactionOptions& options) {
  TRY_ASSIGN(Report report, read_report(journal));
  TRY_ASSIGN(std::optional<Plan> plan, read_plan(journal));
  if (!plan) return report;
  TRY(open_plan(tree, journal));
  bool is_staged = has_entry(plan->staging.empty() ? journal : tree,
                             plan->staging.empty() ? kStagedFolder : plan->staging.c_str());
  if (!is_staged) {
    TRY(remove_plan(journal));
    return report;
  }
  TRY_ASSIGN(Workplace place, Workplace::open(tree, journal, plan->staging, options));
  TRY(clear_away(place, report));
  return report;
}

}  // namespace

bool is_whole(const Report& report) {
  return std::ranges::all_of(report,
                             [](const StepReport& step) { return step.outcome == Outcome::done; });
}

Result<Report> put_in_place(int tree, int journal, const std::vector<Step>& steps,
                            const TransactionOptions& options) {
  TRY_ASSIGN(Fd locked, lock(journal));
  TRY_ASSIGN(JournalState state, look_at_journal(journal));
  if (state != JournalState::empty) return fail("something else was begun here and not finished");
  auto place = Workplace::make(tree, journal, options);
  auto plan = place ? stage(*place, steps, options) : std::unexpected(place.error());
  Status ready = plan ? place->sync() : std::unexpected(plan.error());
  if (ready) ready = place->reach("write plan");
  if (ready) ready = write_plan(journal, *plan);
  auto report = ready ? carry_out(*place, *plan) : std::unexpected(ready.error());
  // The tree is as it was: nothing of this stays.
  if (!ready && !has_entry(journal, "plan")) (void)forget(tree, journal);
  return report;
}

Result<JournalState> look_at_journal(int journal) {
  if (has_entry(journal, "report")) return JournalState::reported;
  if (has_entry(journal, "plan")) return JournalState::begun;
  TRY_ASSIGN(std::vector<file::Entry> entries, file::list(journal));
  return entries.empty() ? JournalState::empty : JournalState::staging;
}

Result<Report> resume(int tree, int journal, const TransactionOptions& options) {
  TRY_ASSIGN(Fd locked, lock(journal));
  TRY_ASSIGN(JournalState state, look_at_journal(journal));
  if (state == JournalState::reported) return complete(tree, journal, options);
  TRY_ASSIGN(Plan plan, open_plan(tree, journal));
  TRY_ASSIGN(Workplace place, Workplace::open(tree, journal, plan.staging, options));
  return carry_out(place, plan);
}

Result<Report> read_report(int journal) {
  TRY_ASSIGN(std::optional<Report> report, find_report(journal));
  if (!report) return fail("nothing was finished here");
  return std::move(*report);
}

Status forget(int tree, int journal) {
  TRY_ASSIGN(JournalState state, look_at_journal(journal));
  if (state == JournalState::begun) return fail("what was begun here is not finished");
  TRY_ASSIGN(std::string staging, read_staging_name(journal));
  if (!staging.empty() && tree >= 0 && is_plain_path(staging)) TRY(tree::remove_at(tree, staging));
  return tree::empty_at(journal, ".");
}

}  // namespace ringwall::changes
