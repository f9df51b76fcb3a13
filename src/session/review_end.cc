#include "session/review_end.h"

#include <fcntl.h>

#include <algorithm>

#include "base/file.h"
#include "base/text.h"
#include "base/tree.h"
#include "review/bases.h"
#include "review/summary.h"

namespace ringwall::session {
namespace {

bool is_empty(const review::ReviewedTree& tree) {
  // What was only touched is nothing that anybody would look at by itself.
  return tree.found.unread.empty() &&
         std::ranges::all_of(tree.found.changes, &changes::Change::is_time_alone);
}

Status tell_review(const RunHooks& hooks, const prepare::Preparation& prepared) {
  const review::Review& review = prepared.review;
  std::string reviews = state::reviews_folder(prepared.places);
  TRY_ASSIGN(Fd folder, review::open_review(reviews, review.name));
  // Only overlayfs has used it, and closed it to everybody.
  for (const review::ReviewTree& tree : review.trees) {
    TRY_ASSIGN(Fd layer, file::open_beneath(folder.get(), tree.layer, O_RDONLY | O_DIRECTORY));
    TRY(tree::remove_at(layer.get(), "work"));
  }
  TRY_ASSIGN(auto trees,
             review::read_whole_review(folder.get(), review, prepared.guarded->protected_names));
  hooks.tell(review::files_changed(review, trees));
  review::keep_bases(folder.get(), trees);
  for (const review::ReviewedTree& tree : trees) {
    for (const prepare::GuardedTree& searched : prepared.guarded->trees)
      if (searched.path == tree.tree.path) review::keep_folders(folder.get(), tree, searched.index);
  }
  bool unchanged = std::ranges::all_of(trees, is_empty);
  if (hooks.reviewed) hooks.reviewed(review, trees);
  return unchanged ? review::remove_review(reviews, review.name) : Status();
}

bool is_unused(int folder, const review::ReviewTree& tree) {
  auto upper = file::open_beneath(folder, tree.layer + "/upper", O_RDONLY | O_DIRECTORY);
  auto entries = upper ? file::list(upper->get()) : std::unexpected(upper.error());
  return entries && entries->empty();
}

}  // namespace

void end_review(const RunHooks& hooks, const prepare::Preparation& prepared) {
  if (prepared.review.trees.empty()) return;
  Status told = tell_review(hooks, prepared);
  if (told) return;
  hooks.tell(events::Withheld{"what the run has changed cannot be told: " + told.error().text(),
                              "look at it: ringwall diff " + text::quote(prepared.review.name)});
}

void drop_unused_review(const prepare::Preparation& prepared) {
  const review::Review& review = prepared.review;
  if (review.trees.empty() || review.name.empty()) return;
  std::string reviews = state::reviews_folder(prepared.places);
  auto folder = review::open_review(reviews, review.name);
  if (!folder) return;
  bool unused = std::ranges::all_of(
      review.trees, [&](const review::ReviewTree& tree) { return is_unused(folder->get(), tree); });
  if (unused) (void)review::remove_review(reviews, review.name);
}

}  // namespace ringwall::session
