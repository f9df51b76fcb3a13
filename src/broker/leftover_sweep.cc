#include "broker/leftover_sweep.h"

#include <fcntl.h>
#include <limits.h>

#include "base/file.h"
#include "base/path.h"
#include "broker/git_news.h"
#include "broker/guards.h"
#include "broker/staged_watch.h"
#include "broker/vet.h"
#include "files/scan.h"
#include "git/remote_ways.h"

namespace ringwall::broker {
namespace {

// Those that are still there: what is gone cannot hold anything.
Result<std::vector<files::WatchedTree>> open_trees(const GuardList& list) {
  std::vector<files::WatchedTree> trees;
  for (const std::string& path : list.trees) {
    auto folder = file::open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (!folder && !files::is_gone(folder.error())) return std::unexpected(folder.error());
    if (folder) trees.push_back({std::move(*folder), path});
  }
  return trees;
}

// By which git goes to the remotes of the configs that were there, as far as no link lay on them.
std::vector<std::string> ways_to_remotes(const GuardList& list) {
  std::vector<std::string> all;
  for (const std::string& path : list.kept) {
    if (path::basename(path) != "config") continue;
    for (std::string& way : git::ways_of_config(path, list.trees))
      if (!list.links.contains(way)) all.push_back(std::move(way));
  }
  return all;
}

struct FoundLeft {
  std::vector<Culprit> culprits;
  std::vector<Vetter::MadeRemote> remotes;
};

Result<FoundLeft> find_left(const std::vector<files::WatchedTree>& trees,
                            const files::ProtectedNames& names, const files::HiddenNames& hidden,
                            const files::LinkRules& links, const GuardList& list) {
  Vetter::Watch watch;
  // What they held when the run began is not known any more.
  watch.index = [&](size_t tree, const std::string& path) {
    auto look = look_at_index(trees[tree], path, names);
    if (!look) return files::is_gone(look.error()) ? std::string() : look.error().text();
    return judge_index(*look, nullptr);
  };
  Vetter vetter(names, trees, std::move(watch), links);
  if (list.knows_links) vetter.ways().add(ways_to_remotes(list));
  std::vector<Culprit> culprits;
  for (size_t i = 0; i < trees.size(); i++) {
    files::Index index;
    auto result = files::scan(trees[i].folder.get(), names, hidden, index, {PATH_MAX - 1});
    vetter.look_at_ways(i, "", culprits);
    if (!result) vetter.look(i, "", culprits);  // opens up what stopped it
    if (!result) continue;
    for (const files::Found& found : result->found) {
      bool is_judged = list.knows_links ? found.may_be_planted() : found.is_guarded();
      if (is_judged) vetter.look(i, found.path, culprits);
    }
  }
  if (auto trouble = vetter.take_trouble()) return std::unexpected(*trouble);
  return FoundLeft{std::move(culprits), vetter.take_made_remotes()};
}

}  // namespace

Result<Leftovers> sweep_leftovers(const GuardList& list, const files::ProtectedNames& names,
                                  const files::HiddenNames& hidden, files::LinkRules links,
                                  Quarantine& quarantine) {
  TRY_ASSIGN(std::vector<files::WatchedTree> trees, open_trees(list));
  links.known = list.links;
  TRY_ASSIGN(FoundLeft found, find_left(trees, names, hidden, links, list));
  Leftovers left;
  for (const Vetter::MadeRemote& made : found.remotes) {
    const files::WatchedTree& tree = trees[made.tree];
    if (!is_guarded_by(list.kept, tree, made.config))
      left.remotes.push_back(made_remote_notice(tree.whole(made.config), made.remote));
  }
  for (const Culprit& culprit : found.culprits) {
    const files::WatchedTree& tree = trees[culprit.tree];
    if (is_guarded_by(list.kept, tree, culprit.path)) continue;
    auto parent = files::open_parent(tree, culprit.path);
    if (!parent && files::is_gone(parent.error())) continue;
    if (!parent) return std::unexpected(parent.error());
    std::string whole = tree.whole(culprit.path);
    TRY_ASSIGN(Taken taken, quarantine.take(parent->get(), path::basename(culprit.path),
                                            {whole, list.run}, {culprit.rule, culprit.why}));
    if (taken.outcome == Taken::Outcome::gone) continue;
    left.swept.push_back({whole, culprit.rule, culprit.why, taken.item});
  }
  return left;
}

}  // namespace ringwall::broker
