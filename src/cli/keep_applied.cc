#include "cli/keep_applied.h"

#include <fcntl.h>

#include <vector>

#include "base/fd.h"
#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "base/tree.h"
#include "review/layer_changes.h"
#include "review/review.h"
#include "undo/put_back.h"

namespace ringwall::cli {
namespace {

Status keep_one(int undo, int applied, int64_t now) {
  TRY_ASSIGN(review::Review review, review::read_review(applied));
  undo::KeptRun as;
  as.id = undo::make_id(review.name, now);
  as.name = review.name;
  as.kind = undo::KeptRun::Kind::apply;
  as.workspace = review.workspace;
  as.command = review.command;
  as.started = now;
  std::vector<Fd> held;
  std::vector<undo::ReplacedIn> trees;
  for (const review::ReviewTree& tree : review.trees) {
    auto journal = file::open_beneath(applied, tree.layer, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    auto real = review::open_real(tree);
    trees.push_back({tree.path, real ? real->get() : -1, journal ? journal->get() : -1});
    if (journal) held.push_back(std::move(*journal));
    if (real) held.push_back(std::move(*real));
  }
  return undo::keep_replaced(undo, as, trees);
}

}  // namespace

std::string applied_folder(const session::Places& places) {
  return path::join(session::undo_folder(places), "applied");
}

Status keep_applied(const session::Places& places) {
  auto all = file::open(applied_folder(places), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!all && all.error().err == ENOENT) return {};
  if (!all) return std::unexpected(all.error());
  TRY_ASSIGN(Fd undo, file::open(session::undo_folder(places), O_RDONLY | O_DIRECTORY));
  TRY_ASSIGN(Fd lock, undo::lock_store(undo.get(), undo::LockMode::shared));
  TRY_ASSIGN(std::vector<file::Entry> entries, file::list(all->get()));
  int64_t now = undo::now_in_milliseconds();
  for (const file::Entry& entry : entries) {
    auto folder = file::open_beneath(all->get(), entry.name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    Status kept = folder ? keep_one(undo.get(), folder->get(), now++)
                         : Status(std::unexpected(folder.error()));
    if (!kept) {
      kept.error().hint = "what was replaced lies in " +
                          text::quote(path::join(applied_folder(places), entry.name));
      return kept;
    }
    TRY(tree::remove_at(all->get(), entry.name));
  }
  return {};
}

}  // namespace ringwall::cli
