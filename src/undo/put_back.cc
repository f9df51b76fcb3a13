#include "undo/put_back.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "base/tree.h"
#include "changes/attributes.h"
#include "changes/transaction.h"
#include "undo/originals.h"
#include "undo/own_times.h"
#include "undo/store.h"

namespace ringwall::undo {
namespace {

using changes::EntryType;
using changes::JournalState;
using changes::Step;

constexpr const char* kSources = "sources";
constexpr const char* kJournal = "journal";

// Of another owner only for root; of another group for who is in it.
Status give_owner(int folder, const std::string& name, const SavedEntry& before) {
  uid_t owner = geteuid() == 0 ? before.uid : static_cast<uid_t>(-1);
  int done = fchownat(folder, name.c_str(), owner, before.gid, AT_SYMLINK_NOFOLLOW);
  if (done < 0 && geteuid() == 0) return fail_errno("cannot give it its owner");
  return {};
}

// Whole and checked, with its owner.
Status make_source(const Store& store, int folder, const std::string& name,
                   const SavedEntry& before) {
  if (before.type == EntryType::link) {
    if (symlinkat(before.link.c_str(), folder, name.c_str()) < 0)
      return fail_errno("cannot make a link");
    return give_owner(folder, name, before);
  }
  if (before.type == EntryType::fifo) {
    if (mkfifoat(folder, name.c_str(), 0600) < 0) return fail_errno("cannot make a pipe");
    return give_owner(folder, name, before);
  }
  Fd made(openat(folder, name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!made) return fail_errno("cannot make a file");
  TRY(store.copy_to(before.digest, before.size, made.get()));
  TRY(changes::write_attributes(made.get(), before.attributes));
  return give_owner(folder, name, before);
}

bool is_full(const Error& error) { return error.err == ENOSPC || error.err == EDQUOT; }

class Undo {
 public:
  Undo(const UndoRequest& request, Store store, Fd folder)
      : request_(request), store_(std::move(store)), folder_(std::move(folder)) {}

  Result<UndoResult> run() {
    TRY(write_skeleton());
    TRY_ASSIGN(sources_, file::make_dirs_at(folder_.get(), kSources));
    std::vector<std::vector<Step>> steps(request_.trees.size());
    TRY(make_steps(steps));
    TRY(keep_replaced(steps));
    for (size_t i = 0; i < steps.size(); i++) {
      if (!steps[i].empty()) TRY(carry_out(i, steps[i]));
    }
    TRY(reach("write down"));
    TRY(finish_act(request_.undo, folder_.get(), request_.trees, {false, request_.before_act}));
    result_.unkept = find_unkept(folder_.get());
    return std::move(result_);
  }

 private:
  Status reach(std::string_view act) const {
    int err = request_.before_act ? request_.before_act(act) : 0;
    if (err != 0) return std::unexpected(Error{"cannot " + std::string(act), err, {}});
    return {};
  }

  // An undo can be undone.
  Status keep_replaced(const std::vector<std::vector<Step>>& steps) {
    TRY(reach("keep"));
    std::vector<OriginalsIn> originals;
    for (size_t i = 0; i < steps.size(); i++) {
      OriginalsIn in{request_.manifest.trees[i].path, request_.trees[i].get()};
      for (const Step& step : steps[i])
        if (step.expected.exists()) in.entries.push_back({step.path, step.expected});
      in.is_taken = can_take(request_.undo, in.tree);
      originals.push_back(std::move(in));
    }
    return keep_originals(request_.undo, folder_.get(), originals);
  }

  // Which trees it is about, for whoever has to go on.
  Status write_skeleton() {
    Manifest skeleton;
    for (const ManifestTree& tree : request_.manifest.trees)
      skeleton.trees.push_back({tree.path, tree.device, tree.inode, 0, true, {}});
    return write_manifest(folder_.get(), skeleton);
  }

  Status make_steps(std::vector<std::vector<Step>>& steps) {
    for (const UndoAct& act : request_.plan.acts) {
      Step step;
      step.path = act.before.path;
      step.expected = act.now;
      if (act.kind == UndoAct::Kind::put_back) {
        step.wanted = act.before.type;
        step.mode = act.before.mode;
        step.modified = act.before.modified;
        if (act.before.kept == Kept::attributes) step.attributes = act.before.attributes;
        auto first = find_other_name(act);
        if (first) step.same_file_as = *first;
        TRY_ASSIGN(bool is_whole, first ? true : give_source(step, act));
        if (!is_whole) continue;
        if (act.before.has_content())
          names_.emplace(std::pair(act.tree, act.before.inode),
                         OneName{&act.before, steps[act.tree].size()});
      }
      steps[act.tree].push_back(std::move(step));
    }
    return {};
  }

  // The step that puts back the same file by another of its names.
  std::optional<size_t> find_other_name(const UndoAct& act) const {
    auto found = names_.find({act.tree, act.before.inode});
    if (found == names_.end() || !act.before.has_content()) return std::nullopt;
    SavedEntry other = *found->second.entry;
    other.path = act.before.path;
    other.kept = act.before.kept;
    return other == act.before ? std::optional(found->second.step) : std::nullopt;
  }

  // False if what was kept is damaged.
  Result<bool> give_source(Step& step, const UndoAct& act) {
    if (act.before.type == EntryType::folder) return true;
    step.source = std::to_string(next_source_++);
    step.source_folder = sources_.get();
    step.may_share = true;
    Status made = reach("make a source");
    if (made) made = make_source(store_, sources_.get(), step.source, act.before);
    if (made) return true;
    if (is_full(made.error())) return std::unexpected(made.error());
    std::string path = path::join(request_.manifest.trees[act.tree].path, act.before.path);
    result_.left.push_back({path, made.error().text()});
    return false;
  }

  Status carry_out(size_t tree, const std::vector<Step>& steps) {
    std::string name = std::string(kJournal) + "/" + std::to_string(tree);
    TRY_ASSIGN(Fd journal, file::make_dirs_at(folder_.get(), name));
    changes::TransactionOptions options{
        .keeps_replaced = can_take(request_.undo, request_.trees[tree].get()),
        .leaves_out_conflicts = true,
        .before_act = request_.before_act};
    TRY_ASSIGN(changes::Report report,
               changes::put_in_place(request_.trees[tree].get(), journal.get(), steps, options));
    for (const changes::StepReport& step : report)
      take_report(tree, step);
    return {};
  }

  void take_report(size_t tree, const changes::StepReport& step) {
    std::string path = path::join(request_.manifest.trees[tree].path, step.path);
    if (step.outcome != changes::Outcome::done) {
      bool is_conflict = step.outcome == changes::Outcome::conflict;
      result_.left.push_back({path, step.why, is_conflict});
      return;
    }
    bool is_folder = step.wanted == EntryType::folder || step.before.type == EntryType::folder;
    // The owner of a folder is not the transaction's affair.
    if (step.wanted == EntryType::folder && !step.before.exists()) own_folder(tree, step.path);
    if (is_folder) return;
    (step.wanted == EntryType::none ? result_.taken_away : result_.put_back)++;
  }

  void own_folder(size_t tree, const std::string& path) {
    const SavedEntry* before = find_entry(request_.manifest.trees[tree], path);
    auto folder = file::open_beneath(request_.trees[tree].get(), path,
                                     O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK);
    bool needs = before != nullptr && folder && geteuid() == 0;
    if (needs && fchown(folder->get(), before->uid, before->gid) < 0)
      result_.left.push_back({path, "its owner could not be set"});
  }

  const UndoRequest& request_;
  Store store_;
  Fd folder_, sources_;
  struct OneName {
    const SavedEntry* entry;
    size_t step;
  };
  std::map<std::pair<uint32_t, uint64_t>, OneName> names_;  // by tree and inode
  size_t next_source_ = 0;
  UndoResult result_;
};

Status resume_all(int folder, const std::vector<Fd>& trees) {
  for (size_t i = 0; i < trees.size(); i++) {
    std::string name = std::string(kJournal) + "/" + std::to_string(i);
    auto journal = file::open_beneath(folder, name, O_RDONLY | O_DIRECTORY);
    if (!journal) continue;
    TRY_ASSIGN(JournalState state, changes::look_at_journal(journal->get()));
    bool goes_on = state == JournalState::begun || state == JournalState::reported;
    if (goes_on && !trees[i]) return fail("the folder that it was at work in is gone");
    if (goes_on) TRY(changes::resume(trees[i].get(), journal->get()));
  }
  return {};
}

// One that is damaged is there too.
bool has_outcome(int folder) {
  auto outcome = read_outcome(folder);
  return outcome || outcome.error().err != ENOENT;
}

// Of one that had not begun: what was made ready may lie in a tree.
Status forget_staged(int folder) {
  auto manifest = read_manifest(folder);
  auto trees = manifest ? open_trees(*manifest) : std::unexpected(manifest.error());
  for (size_t i = 0; trees && i < trees->size(); i++) {
    std::string name = std::string(kJournal) + "/" + std::to_string(i);
    auto journal = file::open_beneath(folder, name, O_RDONLY | O_DIRECTORY);
    if (journal) TRY(changes::forget((*trees)[i].get(), journal->get()));
  }
  return {};
}

// False if it had not begun to touch anything.
Result<bool> resume_one(int undo, int folder, const TakeOptions& options) {
  TRY_ASSIGN(ActState state, look_at_act(folder));
  if (state == ActState::untouched && !has_outcome(folder)) {
    TRY(forget_staged(folder));
    return false;
  }
  TRY_ASSIGN(Manifest manifest, read_manifest(folder));
  TRY_ASSIGN(std::vector<Fd> trees, open_trees(manifest));
  TRY(resume_all(folder, trees));
  TRY(finish_act(undo, folder, trees, options));
  return true;
}

bool is_unfinished(const KeptRun& run, int folder) {
  if (run.kind == KeptRun::Kind::run) return false;
  return is_interrupted(folder) || !has_outcome(folder);
}

// What was put in place is another file: then only further names of what it replaced have a new
// time, else all that was moved and is back. Without a note that counts as changed by somebody.
void note_moved(const UndoRequest& request, bool is_done) {
  std::vector<SeenAsLeft> moved;
  std::ranges::copy_if(request.plan.as_left, std::back_inserter(moved),
                       [&](const SeenAsLeft& seen) { return !is_done || seen.facts.links > 1; });
  auto undone = open_kept_run(request.undo, request.as.of);
  if (undone && !moved.empty()) (void)note_own_times(undone->get(), request.trees, moved);
}

}  // namespace

Result<UndoResult> put_back(const UndoRequest& request) {
  TRY_ASSIGN(Store store, Store::open(request.undo));
  TRY_ASSIGN(Fd folder, make_kept_run(request.undo, request.as));
  int kept = folder.get();
  Undo undo(request, std::move(store), std::move(folder));
  auto result = undo.run();
  note_moved(request, result.has_value());
  auto state = result ? Result<ActState>(ActState::done) : look_at_act(kept);
  if (!state || *state != ActState::untouched) return result;
  result.error().what = "nothing was put back: " + result.error().what;
  if (is_full(result.error()))
    result.error().hint = "make room where this folder and ~/.local/state lie, and do it again";
  (void)remove_kept_run(request.undo, request.as.id);  // the first error is the one that counts
  return result;
}

Result<Fd> open_journals(int folder) { return file::make_dirs_at(folder, kJournal); }

Result<ActState> look_at_act(int folder) {
  auto journals = file::open_beneath(folder, kJournal, O_RDONLY | O_DIRECTORY);
  if (!journals && journals.error().err == ENOENT) return ActState::untouched;
  if (!journals) return std::unexpected(journals.error());
  TRY_ASSIGN(auto names, file::list(journals->get()));
  ActState found = ActState::untouched;
  for (const file::Entry& entry : names) {
    auto journal = file::open_beneath(journals->get(), entry.name, O_RDONLY | O_DIRECTORY);
    if (!journal) continue;
    TRY_ASSIGN(JournalState state, changes::look_at_journal(journal->get()));
    if (state == JournalState::begun) return ActState::begun;
    if (state == JournalState::reported) found = ActState::done;
  }
  return found;
}

Status finish_act(int undo, int folder, const std::vector<Fd>& trees, const TakeOptions& options) {
  // Before it is noted what lies there now: to lose a name changes a file's ctime.
  TRY(tree::remove_at(folder, kSources));
  std::vector<Fd> journals;
  std::vector<DoneIn> done;
  for (size_t i = 0; i < trees.size(); i++) {
    std::string name = std::string(kJournal) + "/" + std::to_string(i);
    auto journal = file::open_beneath(folder, name, O_RDONLY | O_DIRECTORY);
    journals.push_back(journal ? std::move(*journal) : Fd());
    done.push_back({trees[i].get(), journals[i].get()});
  }
  // Who was killed after that has only to clean up.
  if (!has_outcome(folder)) {
    TRY(take_originals(undo, folder, done, options));
    // Without it, it counts as changed by somebody.
    (void)note_given_back(undo, folder, trees, journals);
    TRY(note_done(folder, done));
  }
  for (size_t i = 0; i < trees.size(); i++) {
    if (journals[i]) TRY(changes::forget(trees[i].get(), journals[i].get()));
  }
  return tree::remove_at(folder, kJournal);
}

std::vector<std::string> find_unkept(int folder) {
  std::vector<std::string> found;
  auto manifest = read_manifest(folder);
  auto outcome = read_outcome(folder);
  if (!manifest || !outcome) return found;
  for (const Touched& one : outcome->touched) {
    const ManifestTree& tree = manifest->trees[one.tree];
    const SavedEntry* entry = find_entry(tree, one.after.path);
    if (entry == nullptr || entry->can_be_put_back()) continue;
    found.push_back(text::quote(path::join(tree.path, entry->path)) + ": " +
                    std::string(why_not(entry->kept)));
  }
  return found;
}

bool is_interrupted(int folder) {
  struct stat facts;
  return fstatat(folder, kSources, &facts, AT_SYMLINK_NOFOLLOW) == 0 ||
         fstatat(folder, kJournal, &facts, AT_SYMLINK_NOFOLLOW) == 0;
}

Result<FinishedActs> finish_interrupted(int undo, const TakeOptions& options) {
  FinishedActs finished;
  TRY_ASSIGN(auto runs, list_kept_runs(undo));
  for (const KeptRun& run : runs) {
    auto folder = open_kept_run(undo, run.id);
    if (!folder || !is_unfinished(run, folder->get())) continue;
    auto ours = take_over(folder->get());
    // It may have been finished while we came.
    if (!ours || !is_unfinished(run, folder->get())) continue;
    auto has_done = resume_one(undo, folder->get(), options);
    if (has_done && !*has_done) {
      Status removed = remove_kept_run(undo, run.id);
      if (!removed) has_done = std::unexpected(removed.error());
    } else if (has_done) {
      finished.ids.push_back(run.id);
    }
    if (has_done) continue;
    Error error = has_done.error();
    error.what = "cannot finish " + text::quote(run.id) + ": " + error.what;
    finished.broken.push_back(std::move(error));
  }
  return finished;
}

}  // namespace ringwall::undo
