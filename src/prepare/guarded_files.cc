#include "prepare/guarded_files.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "broker/vet.h"
#include "files/scan.h"
#include "git/worktree_settings.h"
#include "prepare/agent_settings.h"
#include "prepare/guarded_names.h"
#include "sandbox/toolchain.h"
#include "sandbox/wall.h"
#include "state/own_files.h"

namespace ringwall::prepare {
namespace {

using files::Found;
using sandbox::Protection;

// Smaller trees are read anew faster than their index is written.
constexpr size_t kLeastFolders = 100;

// Each takes a mount, and an agent can leave ten thousands behind: the next start would take
// seconds, or run into the kernel's own limit. A folder full of repositories has thousands that are
// protected.
constexpr size_t kMostMasked = 4096;
constexpr size_t kMostGuarded = 16384;

constexpr size_t kMostJudged = 1 << 20;  // bytes of a file whose content decides; the vetter's too

class Search {
 public:
  Search(GuardedFiles& guarded, const state::Places& places) : guarded_(guarded), places_(places) {}

  // What is under review is not changed itself: nothing in it has to be kept from changes.
  Status search(const sandbox::Grant& grant) {
    const std::string& path = grant.path;
    reviewed_ = !grant.layer.empty();
    may_be_missing_ = reviewed_ && grant.access == sandbox::Access::read;
    can_be_written_ = grant.access == sandbox::Access::write;
    bool writable = can_be_written_ && !reviewed_;
    auto folder = file::open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (!folder && folder.error().err == ENOTDIR) return {};  // one file, granted by its name
    if (!folder) return std::unexpected(folder.error());
    GuardedTree& tree = guarded_.trees.emplace_back();
    tree.path = path;
    tree.writable = writable;
    std::string index_file =
        path::join(path::join(places_.state, "index"), state::name_for_path(path));
    tree.index = files::Index::read(index_file);
    auto result =
        files::scan(folder->get(), guarded_.protected_names, guarded_.hidden_names, tree.index);
    if (!result) {
      result.error().what = "cannot search " + text::quote(path) + ": " + result.error().what;
      return std::unexpected(result.error());
    }
    tree.newest = result->newest;
    if (result->folders >= kLeastFolders && tree.index.is_changed()) tree.index_file = index_file;
    for (const Found& found : result->found)
      TRY(take(found, path, writable));
    return {};
  }

  // What lies in packages and has a name elsewhere, by a link of the start, at which it is obeyed.
  Status protect_renamed() {
    std::vector<files::WatchedTree> trees;
    for (const GuardedTree& tree : guarded_.trees) {
      if (!tree.writable) continue;
      TRY_ASSIGN(Fd folder, file::open(tree.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
      trees.push_back({std::move(folder), tree.path});
    }
    broker::Vetter vetter(guarded_.protected_names, trees, {}, {{}, {}, {}, guarded_.links});
    std::vector<broker::Culprit> culprits;
    for (const auto& [link, target] : guarded_.links) {
      for (size_t i = 0; i < trees.size() && broker::may_rename(link, target); i++) {
        if (path::is_beneath(link, trees[i].path))
          vetter.look(i, trees[i].relative(link), culprits);
      }
    }
    for (const broker::Culprit& culprit : culprits) {
      std::string path = trees[culprit.tree].whole(culprit.path);
      struct stat facts;
      if (guarded_.kept.contains(path) || lstat(path.c_str(), &facts) < 0) continue;
      TRY(protect({.kind = Found::Kind::protected_path,
                   .path = culprit.path,
                   .is_folder = S_ISDIR(facts.st_mode),
                   .is_link = S_ISLNK(facts.st_mode),
                   .links = static_cast<uint32_t>(facts.st_nlink),
                   .why = culprit.rule},
                  path));
    }
    return {};
  }

  // Of what can be written, in the view of a review or in the tree itself.
  const std::vector<std::string>& git_folders() const { return git_folders_; }

 private:
  Status take(const Found& found, const std::string& tree, bool writable) {
    std::string path = found.path.empty() ? tree : path::join(tree, found.path);
    switch (found.kind) {
      case Found::Kind::socket:
        // Above an overlay nobody answers at a socket of the tree below.
        if (!may_be_missing_) guarded_.sockets.push_back(path);
        return {};
      case Found::Kind::mount:  // what lies in it was found too
        if (reviewed_) guarded_.mounts.push_back(path);
        return {};
      case Found::Kind::git_folder:
        if (can_be_written_) git_folders_.push_back(path);
        if (writable) {
          guarded_.git_configs.push_back(path::join(path, "config"));
          guarded_.git_configs.push_back(path::join(path, git::kWorktreeConfig));
        }
        return {};
      case Found::Kind::leads_away:
        if (can_be_written_) take_link(found, path, file::read_link(path).value_or(""));
        return {};
      case Found::Kind::hidden:
        if (found.is_link) return hide_end(found, path);
        return hide(found, path, found.why);
      case Found::Kind::protected_path:
        note_link(found, found.is_link);
        return writable && runs_something(found, path) ? protect(found, path) : Status();
    }
    return {};
  }

  // Of names that ordinary work writes, those stay as they are by which nothing runs.
  bool runs_something(const Found& found, const std::string& path) const {
    const files::ProtectedNames& names = guarded_.protected_names;
    if (found.is_link || !names.is_by_content(found.why)) return true;
    auto text = file::read(path, kMostJudged);
    return !text || !names.judge(found.why, *text).empty();
  }

  Status protect(const Found& found, const std::string& path) {
    TRY(check_names(found, path, "changed"));
    guarded_.kept.insert(path);
    auto kind = found.is_link ? Protection::Kind::link : Protection::Kind::read_only;
    guarded_.protections.push_back({kind, path, "protected: " + found.why});
    if (found.is_link) protect_end(path);
    return {};
  }

  Status hide(const Found& found, const std::string& path, const std::string& why) {
    TRY(check_names(found, path, "read"));
    if (!hidden_.insert(path).second) return {};  // by itself, and by a link
    guarded_.hidden.push_back(path);
    if (found.why == files::kHiddenByPolicy) guarded_.hidden_by_policy.insert(path);
    guarded_.protections.push_back(
        {Protection::Kind::hidden, path, "hidden: " + why, may_be_missing_});
    return {};
  }

  // Where a link with a hidden name leads is hidden too, if it can be reached at all.
  Status hide_end(const Found& found, const std::string& link) {
    std::string end = sandbox::follow_links(link).end;
    struct stat facts;
    if (!is_in_a_tree(end) || lstat(end.c_str(), &facts) < 0 || !S_ISREG(facts.st_mode)) return {};
    if (is_shown(end)) return {};
    Found file = found;
    file.links = static_cast<uint32_t>(facts.st_nlink);
    return hide(file, end, link + " leads here");
  }

  bool is_shown(const std::string& path) const {
    return std::any_of(guarded_.trees.begin(), guarded_.trees.end(), [&](const GuardedTree& tree) {
      return tree.path != path && path::is_beneath(path, tree.path) &&
             guarded_.hidden_names.judge_folder(path.substr(tree.path.size() + 1)).is_shown;
    });
  }

  bool is_in_a_tree(const std::string& path) const {
    return std::any_of(guarded_.trees.begin(), guarded_.trees.end(), [&](const GuardedTree& tree) {
      return tree.path != path && path::is_beneath(path, tree.path);
    });
  }

  void take_link(const Found& found, const std::string& path, const std::string& target) {
    note_link(found, broker::may_rename(path, target));
    if (!reviewed_) guarded_.links[path] = target;
  }

  // Under review whatever lies at its end counts by the name of the link as well, once it comes
  // out.
  void note_link(const Found& found, bool gives_a_name) {
    if (!reviewed_ || !can_be_written_ || !gives_a_name) return;
    std::string link = path::join(guarded_.trees.back().path, found.path);
    sandbox::Way way = sandbox::follow_links(link);
    guarded_.ends.push_back({way.end, found.path});
    for (const sandbox::LinkOnTheWay& on_the_way : way.links) {
      if (on_the_way.path != link) guarded_.ends.push_back({on_the_way.path, found.path});
    }
  }

  // Where a protected link leads is protected too, if it leads into a writable tree.
  void protect_end(const std::string& link) {
    std::string end = sandbox::follow_links(link).end;
    if (!is_in_a_tree(end) || !file::exists(end) || !guarded_.kept.insert(end).second) return;
    guarded_.protections.push_back(
        {Protection::Kind::read_only, end, "protected: " + link + " leads here"});
  }

  // By a second name a file can be reached past the mount over the first.
  static Status check_names(const Found& found, const std::string& path, const char* done) {
    if (found.links <= 1 || found.is_folder) return {};
    std::string quoted = text::quote(path);
    return fail(quoted + " has a second name (a hard link), by which it could be " + done,
                "make it a file of its own: cp -p " + quoted + " " + text::quote(path + ".new") +
                    " && mv " + text::quote(path + ".new") + " " + quoted);
  }

  GuardedFiles& guarded_;
  const state::Places& places_;
  std::set<std::string> hidden_;
  std::vector<std::string> git_folders_;
  // Of the tree that is being searched:
  bool can_be_written_ = false;
  bool reviewed_ = false;
  bool may_be_missing_ = false;  // what is found there may be gone in what is shown
};

// Which folder to look at says more than how many there are.
Status check_number(const std::vector<std::string>& paths, size_t most, const char* what) {
  if (paths.size() <= most) return {};
  std::map<std::string, size_t> counts;
  for (const std::string& path : paths)
    counts[path::parent(path)]++;
  auto fullest = std::max_element(counts.begin(), counts.end(),
                                  [](const auto& a, const auto& b) { return a.second < b.second; });
  std::string folder = text::quote(fullest->first);
  return fail(std::to_string(paths.size()) + " files in the granted folders must be " + what +
                  ", and " + std::to_string(most) + " can be; " + std::to_string(fullest->second) +
                  " of them lie in " + folder,
              "remove what nobody needs, or grant less; see: ls -la " + folder);
}

Status check_numbers(const GuardedFiles& guarded) {
  std::vector<std::string> paths = guarded.sockets;
  paths.insert(paths.end(), guarded.hidden.begin(), guarded.hidden.end());
  TRY(check_number(paths, kMostMasked, "masked (sockets and secrets)"));
  for (const Protection& protection : guarded.protections) {
    if (protection.kind != Protection::Kind::hidden) paths.push_back(protection.path);
  }
  return check_number(paths, kMostGuarded, "guarded (sockets, secrets, files that are protected)");
}

template <typename List>
void sort_out(List& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

std::vector<std::string> git_folders_at_top(const std::vector<std::string>& trees) {
  std::vector<std::string> folders;
  for (const std::string& tree : trees)
    folders.push_back(path::join(tree, ".git"));
  return folders;
}

// A repository is known by what of it was protected.
std::vector<std::string> git_folders_of(const broker::GuardList& list) {
  std::vector<std::string> folders = git_folders_at_top(list.trees);
  for (const std::string& path : list.kept) {
    if (path.ends_with("/.git")) folders.push_back(path);
    if (path.ends_with("/config")) folders.push_back(path::parent(path));
  }
  return folders;
}

struct Searched {
  GuardedFiles guarded;
  std::vector<std::string> git_folders;
};

Result<Searched> search_grants(const policy::Policy& policy,
                               const std::vector<sandbox::Grant>& grants,
                               const state::Places& places, const NamedElsewhere& named,
                               const std::vector<std::string>& git_folders) {
  TRY_ASSIGN(GuardedNames names, compile_names(policy, named, git_folders));
  Searched searched{{std::move(names.protected_names), std::move(names.hidden_names),
                     std::move(names.protect), std::move(names.unprotect)},
                    {}};
  Search search(searched.guarded, places);
  for (const sandbox::Grant& grant : grants)
    TRY(search.search(grant));
  TRY(search.protect_renamed());
  searched.git_folders = search.git_folders();
  return searched;
}

// Those of the tops were known before.
std::vector<std::string> other_settings(const std::set<std::string>& kept,
                                        const std::vector<std::string>& known) {
  std::vector<std::string> others;
  for (const std::string& path : kept) {
    for (std::string& settings : agent_settings_of(path)) {
      if (std::ranges::find(known, settings) == known.end()) others.push_back(std::move(settings));
    }
  }
  return others;
}

// Which repositories and settings of agents there are is known once all is searched. Those below
// the top of a tree hardly ever name a file of it; where they do, it is searched once more.
Result<GuardedFiles> search_with_settings(const policy::Policy& policy,
                                          const std::vector<sandbox::Grant>& grants,
                                          const state::Places& places, const std::string& home) {
  std::vector<std::string> trees;
  for (const sandbox::Grant& grant : grants) {
    if (grant.access == sandbox::Access::write) trees.push_back(grant.path);
  }
  std::vector<std::string> git = git_folders_at_top(trees);
  std::vector<std::string> settings = agent_settings_at_top(trees);
  TRY_ASSIGN(auto by_git, named_by_git(trees, git, home));
  TRY_ASSIGN(auto own, state::patterns_of_own_files(trees, places));
  NamedElsewhere named{std::move(by_git), patterns_named_by_agents(trees, settings),
                       std::move(own)};
  TRY_ASSIGN(Searched searched, search_grants(policy, grants, places, named, git));
  std::erase_if(searched.git_folders, [&](const std::string& folder) {
    return std::ranges::find(git, folder) != git.end();
  });
  auto more = other_settings(searched.guarded.kept, settings);
  if (searched.git_folders.empty() && more.empty()) return std::move(searched.guarded);
  git.insert(git.end(), searched.git_folders.begin(), searched.git_folders.end());
  settings.insert(settings.end(), more.begin(), more.end());
  NamedElsewhere by_all = named;
  TRY_ASSIGN(by_all.by_git, named_by_git(trees, git, home));
  by_all.by_agents = patterns_named_by_agents(trees, settings);
  if (by_all == named) {
    searched.guarded.protected_names.know_git_folders(git);
    return std::move(searched.guarded);
  }
  TRY_ASSIGN(searched, search_grants(policy, grants, places, by_all, git));
  return std::move(searched.guarded);
}

}  // namespace

Result<broker::Leftovers> sweep_after_killed_run(const broker::GuardList& list,
                                                 const policy::Policy& policy,
                                                 const state::Places& places,
                                                 const state::Caller& caller) {
  std::vector<std::string> git = git_folders_of(list);
  std::vector<std::string> settings = other_settings(list.kept, {});
  NamedElsewhere named;
  TRY_ASSIGN(named.by_git, named_by_git(list.trees, git, caller.home));
  named.by_agents = patterns_named_by_agents(list.trees, settings);
  TRY_ASSIGN(named.own, state::patterns_of_own_files(list.trees, places));
  TRY_ASSIGN(GuardedNames names, compile_names(policy, named, git));
  TRY_ASSIGN(auto quarantine, broker::Quarantine::open(state::quarantine_folder(places)));
  return broker::sweep_leftovers(list, names.protected_names, names.hidden_names,
                                 link_rules(places, caller), quarantine);
}

files::LinkRules link_rules(const state::Places& places, const state::Caller& caller) {
  return {{caller.home, caller.home_as_named},
          {places.state, places.runs, places.config, places.usual_config},
          {}};
}

Result<GuardedFiles> guard_files(const policy::Policy& policy,
                                 const std::vector<sandbox::Grant>& grants,
                                 const state::Places& places, const std::string& home) {
  TRY_ASSIGN(GuardedFiles guarded, search_with_settings(policy, grants, places, home));
  sort_out(guarded.sockets);
  sort_out(guarded.hidden);
  sort_out(guarded.git_configs);
  std::erase_if(guarded.git_configs,
                [&](const std::string& path) { return !guarded.kept.contains(path); });
  TRY(check_numbers(guarded));
  return guarded;
}

void keep_indexes(const GuardedFiles& guarded) {
  for (const GuardedTree& tree : guarded.trees) {
    if (tree.index_file.empty()) continue;
    // Without it the next start is slower, and nothing else.
    if (file::make_dirs(path::parent(tree.index_file))) (void)tree.index.write(tree.index_file);
  }
}

}  // namespace ringwall::prepare
