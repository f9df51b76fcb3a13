#include "undo/put_back.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "base/tree.h"
#include "changes/attributes.h"
#include "changes/transaction.h"
#include "undo/replaced.h"
#include "undo/store.h"

namespace ringwall::undo {
namespace {

using changes::EntryType;
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
  Fd made(openat(folder, name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!made) return fail_errno("cannot make a file");
  TRY(store.copy_to(before.digest, before.size, made.get()));
  TRY(changes::write_attributes(made.get(), before.attributes));
  return give_owner(folder, name, before);
}

class Undo {
 public:
  Undo(const UndoRequest& request, Store store, Fd folder)
      : request_(request), store_(std::move(store)), folder_(std::move(folder)) {}

  Result<UndoResult> run() {
    TRY(write_skeleton());
    TRY_ASSIGN(sources_, file::make_dirs_at(folder_.get(), kSources));
    std::vector<std::vector<Step>> steps(request_.trees.size());
    TRY(make_steps(steps));
    for (size_t i = 0; i < steps.size(); i++) {
      if (!steps[i].empty()) TRY(carry_out(i, steps[i]));
    }
    TRY(reach("write down"));
    TRY(finish_undo(request_.undo, folder_.get(), request_.trees));
    return std::move(result_);
  }

 private:
  Status reach(std::string_view act) const {
    int err = request_.before_act ? request_.before_act(act) : 0;
    if (err != 0) return std::unexpected(Error{"cannot " + std::string(act), err, {}});
    return {};
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
        if (!give_source(step, act)) continue;
      }
      steps[act.tree].push_back(std::move(step));
    }
    return {};
  }

  // False if what was kept is damaged.
  bool give_source(Step& step, const UndoAct& act) {
    if (act.before.type == EntryType::folder) return true;
    step.source = std::to_string(next_source_++);
    step.source_folder = sources_.get();
    step.may_share = true;
    Status made = reach("make a source");
    if (made) made = make_source(store_, sources_.get(), step.source, act.before);
    if (made) return true;
    std::string path = path::join(request_.manifest.trees[act.tree].path, act.before.path);
    result_.left.push_back({path, made.error().text()});
    return false;
  }

  Status carry_out(size_t tree, const std::vector<Step>& steps) {
    std::string name = std::string(kJournal) + "/" + std::to_string(tree);
    TRY_ASSIGN(Fd journal, file::make_dirs_at(folder_.get(), name));
    changes::TransactionOptions options{.leaves_out_conflicts = true,
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
  size_t next_source_ = 0;
  UndoResult result_;
};

// Something was touched, or may have been.
bool has_begun(int folder, size_t trees) {
  for (size_t i = 0; i < trees; i++) {
    std::string name = std::string(kJournal) + "/" + std::to_string(i);
    auto journal = file::open_beneath(folder, name, O_RDONLY | O_DIRECTORY);
    if (!journal) continue;
    auto state = changes::look_at_journal(journal->get());
    bool is_untouched = state && (*state == changes::JournalState::empty ||
                                  *state == changes::JournalState::staging);
    if (!is_untouched) return true;
  }
  return false;
}

// False if it had not begun to touch anything.
Result<bool> resume_one(int undo, int folder) {
  TRY_ASSIGN(Manifest manifest, read_manifest(folder));
  TRY_ASSIGN(std::vector<Fd> trees, open_trees(manifest));
  bool has_done = false;
  for (size_t i = 0; i < trees.size(); i++) {
    std::string name = std::string(kJournal) + "/" + std::to_string(i);
    auto journal = file::open_beneath(folder, name, O_RDONLY | O_DIRECTORY);
    if (!journal) continue;
    TRY_ASSIGN(changes::JournalState state, changes::look_at_journal(journal->get()));
    bool begun = state == changes::JournalState::begun;
    if (begun && !trees[i]) return fail("the folder of an interrupted undo is gone");
    if (begun) TRY(changes::resume(trees[i].get(), journal->get()));
    has_done |= begun || state == changes::JournalState::reported;
  }
  has_done |= read_outcome(folder).has_value();
  if (has_done) TRY(finish_undo(undo, folder, trees));
  return has_done;
}

}  // namespace

Result<UndoResult> put_back(const UndoRequest& request) {
  TRY_ASSIGN(Store store, Store::open(request.undo));
  TRY_ASSIGN(Fd folder, make_kept_run(request.undo, request.as));
  int kept = folder.get();
  Undo undo(request, std::move(store), std::move(folder));
  auto result = undo.run();
  if (result || has_begun(kept, request.trees.size())) return result;
  (void)remove_kept_run(request.undo, request.as.id);  // the first error is the one that counts
  return result;
}

Status finish_undo(int undo, int folder, const std::vector<Fd>& trees) {
  // Before it is noted what lies there now: to lose a name changes a file's ctime.
  TRY(tree::remove_at(folder, kSources));
  TRY_ASSIGN(Manifest skeleton, read_manifest(folder));
  std::vector<Fd> journals;
  std::vector<ReplacedIn> replaced;
  for (size_t i = 0; i < trees.size(); i++) {
    std::string name = std::string(kJournal) + "/" + std::to_string(i);
    auto journal = file::open_beneath(folder, name, O_RDONLY | O_DIRECTORY);
    journals.push_back(journal ? std::move(*journal) : Fd());
    replaced.push_back({skeleton.trees[i].path, trees[i].get(), journals[i].get()});
  }
  // Who was killed after that has only to clean up.
  if (!read_outcome(folder)) TRY(write_replaced(undo, folder, replaced));
  for (size_t i = 0; i < trees.size(); i++) {
    if (journals[i]) TRY(changes::forget(trees[i].get(), journals[i].get()));
  }
  return tree::remove_at(folder, kJournal);
}

Status keep_replaced(int undo, const KeptRun& as, const std::vector<ReplacedIn>& trees) {
  TRY_ASSIGN(Fd folder, make_kept_run(undo, as));
  return write_replaced(undo, folder.get(), trees);
}

bool is_interrupted(int folder) {
  struct stat facts;
  return fstatat(folder, kSources, &facts, AT_SYMLINK_NOFOLLOW) == 0 ||
         fstatat(folder, kJournal, &facts, AT_SYMLINK_NOFOLLOW) == 0;
}

Result<std::vector<std::string>> finish_interrupted(int undo) {
  std::vector<std::string> finished;
  TRY_ASSIGN(auto runs, list_kept_runs(undo));
  for (const KeptRun& run : runs) {
    if (run.kind != KeptRun::Kind::undo) continue;
    auto folder = open_kept_run(undo, run.id);
    if (!folder || !has_ended(folder->get()) || !is_interrupted(folder->get())) continue;
    TRY_ASSIGN(bool has_done, resume_one(undo, folder->get()));
    if (has_done) finished.push_back(run.id);
    // It had touched nothing yet.
    if (!has_done) TRY(remove_kept_run(undo, run.id));
  }
  return finished;
}

}  // namespace ringwall::undo
