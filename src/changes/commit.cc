#include "changes/commit.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/file.h"
#include "changes/attributes.h"

namespace ringwall::changes {
namespace {

// Folders change with every name in them, and all names of a file with each of them.
bool is_the_same(const EntryFacts& now, const EntryFacts& expected, bool with_changed) {
  if (now.type != expected.type) return false;
  if (!now.exists()) return true;
  if (now.device != expected.device || now.inode != expected.inode) return false;
  if (now.type == EntryType::folder) return true;
  if (with_changed && expected.links == 1 && now.changed != expected.changed) return false;
  return now.size == expected.size && now.modified == expected.modified &&
         now.mode == expected.mode;
}

Result<bool> is_empty_folder(int folder, const char* name) {
  TRY_ASSIGN(Fd opened, file::open_beneath(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  TRY_ASSIGN(std::vector<file::Entry> entries, file::list(opened.get()));
  return entries.empty();
}

bool is_cleared(const PlannedStep& step) {
  return step.wanted == EntryType::none ||
         (step.expected.type == EntryType::folder && step.wanted != EntryType::folder);
}

std::string say_conflict(const EntryFacts& now, const EntryFacts& expected) {
  if (!now.exists()) return "is gone";
  if (!expected.exists()) return "something is there already";
  return "is not what it was any more";
}

}  // namespace

Commit::Commit(Workplace& place, const Plan& plan) : place_(place), plan_(plan) {
  for (const PlannedStep& step : plan.steps) {
    StepReport report;
    report.path = step.path;
    report.wanted = step.wanted;
    report.before = step.expected;
    report_.push_back(std::move(report));
  }
}

void Commit::note(size_t at, Outcome outcome, std::string why) {
  report_[at].outcome = outcome;
  report_[at].why = std::move(why);
  has_conflict_ |= outcome == Outcome::conflict || outcome == Outcome::failed;
}

bool Commit::is_unreachable(size_t at, const Error& error) {
  switch (error.err) {
    case ENOENT:
    case ENOTDIR:
    case ELOOP:
      note(at, Outcome::conflict, "its folder is gone");
      return true;
    case EXDEV:
      note(at, Outcome::conflict, "something is mounted there");
      return true;
    case EACCES:
    case EPERM:
    case EROFS:
    case EBUSY:
      note(at, Outcome::failed, Error{"cannot be put in place", error.err, ""}.text());
      return true;
    default:
      return false;
  }
}

Result<bool> Commit::go_forward() {
  for (Part part : {Part::opening, Part::clearing, Part::placing}) {
    // Within a part no path is looked up below one that was a folder and is another now.
    place_.folders().forget();
    TRY(go_through(part));
    if (has_conflict_ && !plan_.leaves_out_conflicts) return false;
  }
  TRY(go_through(Part::finishing));
  return true;
}

// Names go from the deepest up, new ones come from the top down; modes and times of folders are set
// when nothing more changes in them.
Status Commit::go_through(Part part) {
  bool is_upward = part == Part::clearing || part == Part::finishing;
  size_t count = plan_.steps.size();
  for (size_t i = 0; i < count; i++) {
    size_t at = is_upward ? count - 1 - i : i;
    const PlannedStep& step = plan_.steps[at];
    bool is_folder = step.expected.type == EntryType::folder || step.wanted == EntryType::folder;
    if (part == Part::opening && is_folder) TRY(open_folder(at));
    if (part == Part::clearing && is_cleared(step)) TRY(put(at));
    if (part == Part::placing && !is_cleared(step) && !step.stays_folder()) TRY(put(at));
    if (part == Part::finishing && step.wanted == EntryType::folder) TRY(finish_folder(at));
    if (has_conflict_ && !plan_.leaves_out_conflicts) return {};
  }
  return {};
}

Status Commit::open_folder(size_t at) {
  const PlannedStep& step = plan_.steps[at];
  auto found = place_.folders().find(step.path);
  if (!found) return {};  // whoever needs it will say so
  auto folder = file::open_beneath(found->folder, found->name, O_PATH | O_NOFOLLOW);
  struct stat seen;
  if (!folder || fstat(folder->get(), &seen) < 0) return {};
  // It may have got its mode already, by one that was interrupted.
  bool is_ours = seen.st_ino == step.expected.inode || seen.st_ino == step.staged;
  bool is_closed = S_ISDIR(seen.st_mode) && (seen.st_mode & 0700) != 0700;
  if (!is_ours || !is_closed || seen.st_dev != plan_.device) return {};
  TRY(place_.reach("open folder"));
  Status opened = set_mode(folder->get(), (seen.st_mode & 07777) | 0700);
  // Another's folder cannot be opened, and may not need to be.
  return opened || opened.error().err == EPERM ? Status{} : opened;
}

Result<bool> Commit::is_done(size_t at, const EntryFacts& now) {
  const PlannedStep& step = plan_.steps[at];
  if (step.wanted != EntryType::none)
    return now.exists() && now.inode == step.staged && now.device == plan_.device;
  TRY_ASSIGN(EntryFacts old, look_in(place_.staging(), std::to_string(at).c_str()));
  return old.exists();
}

Status Commit::put(size_t at) {
  const PlannedStep& step = plan_.steps[at];
  auto found = place_.folders().find(step.path);
  if (!found) {
    // Its folder went with all that was in it.
    int err = found.error().err;
    bool is_gone =
        step.wanted == EntryType::none && (err == ENOENT || err == ENOTDIR || err == ELOOP);
    TRY_ASSIGN(bool was_kept, is_gone ? is_done(at, {}) : Result<bool>(false));
    if (!was_kept)
      return is_unreachable(at, found.error()) ? Status{} : std::unexpected(found.error());
    report_[at].kept = std::to_string(at);
    note(at, Outcome::done);
    return {};
  }
  TRY_ASSIGN(EntryFacts now, look_in(found->folder, found->name));
  TRY_ASSIGN(bool done, is_done(at, now));
  if (!done) {
    if (!is_the_same(now, step.expected, true)) {
      note(at, Outcome::conflict, say_conflict(now, step.expected));
      return {};
    }
    TRY(exchange(at, *found));
    if (report_[at].outcome == Outcome::conflict || report_[at].outcome == Outcome::failed)
      return {};
  }
  if (step.expected.exists()) report_[at].kept = std::to_string(at);
  note(at, Outcome::done);
  return {};
}

Status Commit::exchange(size_t at, const TreeFolders::Place& found) {
  const PlannedStep& step = plan_.steps[at];
  std::string name = std::to_string(at);
  bool is_folder = step.expected.type == EntryType::folder;
  if (is_folder) {
    TRY_ASSIGN(bool is_empty, is_empty_folder(found.folder, found.name));
    if (!is_empty) return note(at, Outcome::conflict, "something else lies in it"), Status{};
  }
  TRY(place_.reach("put"));
  int moved;
  if (step.wanted == EntryType::none)
    moved = renameat2(found.folder, found.name, place_.staging(), name.c_str(), RENAME_NOREPLACE);
  else
    moved = renameat2(place_.staging(), name.c_str(), found.folder, found.name,
                      step.expected.exists() ? RENAME_EXCHANGE : RENAME_NOREPLACE);
  if (moved < 0) {
    Error error{"cannot put a file in place", errno, ""};
    if (error.err == EEXIST)
      return note(at, Outcome::conflict, "something is there already"), Status{};
    return is_unreachable(at, error) ? Status{} : std::unexpected(error);
  }
  if (!step.expected.exists()) return {};
  // Somebody may have come between the look and the exchange.
  TRY_ASSIGN(EntryFacts out, look_in(place_.staging(), name.c_str()));
  bool is_right = is_the_same(out, step.expected, false);
  if (is_right && is_folder) {
    TRY_ASSIGN(is_right, is_empty_folder(place_.staging(), name.c_str()));
  }
  if (is_right) return {};
  TRY(undo_exchange(at, found));
  note(at, Outcome::conflict, "was changed at this moment");
  return {};
}

Status Commit::undo_exchange(size_t at, const TreeFolders::Place& found) {
  bool is_exchanged = plan_.steps[at].wanted != EntryType::none;
  if (renameat2(place_.staging(), std::to_string(at).c_str(), found.folder, found.name,
                is_exchanged ? RENAME_EXCHANGE : RENAME_NOREPLACE) < 0)
    return fail_errno("cannot put a file back");
  return {};
}

Status Commit::finish_folder(size_t at) {
  const PlannedStep& step = plan_.steps[at];
  auto found = place_.folders().find(step.path);
  if (!found) return is_unreachable(at, found.error()) ? Status{} : std::unexpected(found.error());
  auto folder = file::open_beneath(found->folder, found->name, O_PATH | O_NOFOLLOW);
  if (!folder)
    return is_unreachable(at, folder.error()) ? Status{} : std::unexpected(folder.error());
  struct stat seen;
  if (fstat(folder->get(), &seen) < 0) return fail_errno("cannot look at a folder");
  uint64_t inode = step.stays_folder() ? step.expected.inode : step.staged;
  if (seen.st_ino != inode || seen.st_dev != plan_.device) {
    if (report_[at].outcome != Outcome::conflict)
      note(at, Outcome::conflict, "is not what it was any more");
    return {};
  }
  TRY(place_.reach("finish folder"));
  if (step.stays_folder() && step.staged != 0) {
    TRY_ASSIGN(Fd carrier, file::open_beneath(place_.staging(), std::to_string(at),
                                              O_PATH | O_DIRECTORY | O_NOFOLLOW));
    TRY_ASSIGN(Attributes attributes, read_attributes(carrier.get()));
    TRY(write_attributes(folder->get(), attributes));
  }
  if ((seen.st_mode & 07777) != step.mode) TRY(set_mode(folder->get(), step.mode));
  if (!step.is_passage) TRY(set_modified(folder->get(), step.modified));
  note(at, Outcome::done);
  return {};
}

Status Commit::go_back() {
  place_.folders().forget();
  for (size_t at = 0; at < plan_.steps.size(); at++) {
    const PlannedStep& step = plan_.steps[at];
    if (step.expected.type == EntryType::folder || step.wanted == EntryType::folder)
      TRY(open_folder(at));
  }
  // In the opposite order of all that may have been done.
  for (size_t at = plan_.steps.size(); at-- > 0;) {
    const PlannedStep& step = plan_.steps[at];
    if (!is_cleared(step) && !step.stays_folder()) TRY(take_back(at));
  }
  place_.folders().forget();
  for (size_t at = 0; at < plan_.steps.size(); at++)
    if (is_cleared(plan_.steps[at])) TRY(take_back(at));
  place_.folders().forget();
  for (size_t at = plan_.steps.size(); at-- > 0;)
    if (plan_.steps[at].expected.type == EntryType::folder) TRY(close_folder(at));
  return {};
}

Status Commit::take_back(size_t at) {
  const PlannedStep& step = plan_.steps[at];
  std::string name = std::to_string(at);
  report_[at].kept.clear();
  if (report_[at].outcome == Outcome::done) note(at, Outcome::untouched);
  auto found = place_.folders().find(step.path);
  TRY_ASSIGN(EntryFacts now,
             found ? look_in(found->folder, found->name) : Result<EntryFacts>(EntryFacts{}));
  TRY_ASSIGN(bool is_placed, is_done(at, now));
  if (!is_placed) return {};
  if (step.expected.exists()) report_[at].kept = name;  // until it is back
  if (!found)
    return note(at, Outcome::failed, "its folder is gone; what lay here is kept"), Status{};
  if (step.wanted == EntryType::folder) {
    TRY_ASSIGN(bool is_empty, is_empty_folder(found->folder, found->name));
    if (!is_empty) return note(at, Outcome::failed, "something else lies in it now"), Status{};
  }
  TRY(place_.reach("take back"));
  int moved;
  if (step.expected.exists())
    moved = renameat2(place_.staging(), name.c_str(), found->folder, found->name,
                      step.wanted == EntryType::none ? RENAME_NOREPLACE : RENAME_EXCHANGE);
  else
    moved = renameat2(found->folder, found->name, place_.staging(), name.c_str(), RENAME_NOREPLACE);
  if (moved < 0 && errno == EEXIST)
    return note(at, Outcome::failed, "something else lies there now"), Status{};
  if (moved < 0) return fail_errno("cannot put a file back");
  report_[at].kept.clear();
  return {};
}

Status Commit::close_folder(size_t at) {
  const PlannedStep& step = plan_.steps[at];
  if (report_[at].outcome == Outcome::done) note(at, Outcome::untouched);
  auto found = place_.folders().find(step.path);
  if (!found) return {};
  auto folder = file::open_beneath(found->folder, found->name, O_PATH | O_NOFOLLOW);
  struct stat seen;
  if (!folder || fstat(folder->get(), &seen) < 0) return {};
  if (seen.st_ino != step.expected.inode || seen.st_dev != step.expected.device) return {};
  TRY(place_.reach("close folder"));
  if ((seen.st_mode & 07777) != step.expected.mode)
    TRY(set_mode(folder->get(), step.expected.mode));
  if (!step.is_passage) TRY(set_modified(folder->get(), step.expected.modified));
  return {};
}

bool Commit::keeps_something() const {
  return std::ranges::any_of(report_, [](const StepReport& step) { return !step.kept.empty(); });
}

Report Commit::take_report() && {
  Report report;
  for (size_t at = 0; at < report_.size(); at++) {
    const PlannedStep& step = plan_.steps[at];
    if (step.is_passage && report_[at].outcome != Outcome::failed) continue;
    bool is_new = report_[at].outcome == Outcome::done && !step.stays_folder();
    report_[at].inode = is_new ? step.staged : 0;
    report.push_back(std::move(report_[at]));
  }
  return report;
}

}  // namespace ringwall::changes
