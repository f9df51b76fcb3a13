#include "session/applied_reviews.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <vector>

#include "base/fd.h"
#include "base/file.h"
#include "base/tree.h"
#include "review/review.h"
#include "undo/kept_run.h"
#include "undo/outcome.h"
#include "undo/put_back.h"

namespace ringwall::session {
namespace {

constexpr const char* kApplied = "applied";

struct AppliedTree {
  Fd journal, folder;
  std::string path;
};

// The journals lie beside the manifest of the review, each with the path of its tree.
Result<std::vector<AppliedTree>> open_trees(int applied) {
  std::vector<AppliedTree> trees;
  TRY_ASSIGN(auto names, file::list(applied));
  for (const file::Entry& entry : names) {
    AppliedTree tree;
    auto journal = file::open_beneath(applied, entry.name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    if (!journal) continue;
    tree.journal = std::move(*journal);
    TRY_ASSIGN(Fd note, file::open_beneath(tree.journal.get(), "tree", O_RDONLY | O_NOFOLLOW));
    TRY_ASSIGN(tree.path, file::read_all(note.get(), 64 << 10));
    TRY_ASSIGN(tree.folder, file::open(tree.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
    trees.push_back(std::move(tree));
  }
  return trees;
}

Status note_one(int undo, int all, const std::string& name) {
  TRY_ASSIGN(Fd applied, file::open_beneath(all, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  TRY_ASSIGN(review::Review review, review::read_review(applied.get()));
  struct stat facts;
  if (fstat(applied.get(), &facts) < 0) return fail_errno("cannot look at an applied review");
  TRY_ASSIGN(std::vector<AppliedTree> trees, open_trees(applied.get()));
  std::vector<undo::ReplacedIn> replaced;
  for (const AppliedTree& tree : trees)
    replaced.push_back({tree.path, tree.folder.get(), tree.journal.get()});
  int64_t when =
      static_cast<int64_t>(facts.st_mtim.tv_sec) * 1000 + facts.st_mtim.tv_nsec / 1'000'000;
  undo::KeptRun run{.id = "apply-" + name,
                    .name = "apply-" + review.name,
                    .kind = undo::KeptRun::Kind::apply,
                    .workspace = review.workspace,
                    .command = review.command,
                    .started = when};
  // Who was killed after that has only to remove what was taken over.
  auto there = undo::open_kept_run(undo, run.id);
  bool is_known = there && undo::read_outcome(there->get());
  if (there && !is_known) TRY(undo::remove_kept_run(undo, run.id));
  if (!is_known) TRY(undo::keep_replaced(undo, run, replaced));
  return tree::remove_at(all, name);
}

}  // namespace

Status note_applied_reviews(const Places& places) {
  auto undo = file::open(undo_folder(places), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!undo) return {};  // nothing was ever kept
  auto all = file::open_beneath(undo->get(), kApplied, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!all) return {};
  TRY_ASSIGN(Fd lock, undo::lock_store(undo->get(), undo::LockMode::shared));
  TRY_ASSIGN(auto names, file::list(all->get()));
  Status first;
  for (const file::Entry& entry : names) {
    Status noted = note_one(undo->get(), all->get(), entry.name);
    if (!noted && first) first = noted;
  }
  return first;
}

}  // namespace ringwall::session
