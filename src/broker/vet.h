// Looks at what appeared while a run goes on: whether its name is protected, and if so, whether
// what lies there can run or redirect anything outside. What git itself writes stays; see
// git/vet.h. Works by descriptor beneath the granted trees, follows no link, reads each file once.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/folder_reader.h"
#include "base/result.h"
#include "files/link_judge.h"
#include "files/protected.h"
#include "files/watched_tree.h"
#include "git/remote_ways.h"
#include "git/run_remotes.h"

namespace ringwall::broker {

// What has to go.
struct Culprit {
  size_t tree = 0;
  std::string path;  // relative to the tree
  std::string rule;
  std::string why;
};

class Vetter {
 public:
  // Called for each folder that is met before it is listed, and for each file that may stay before
  // it is read: what comes later is told.
  struct Watch {
    using Add = std::function<void(size_t tree, int fd, const std::string& path)>;
    Add folder = [](size_t, int, const std::string&) {};
    Add file = folder;
    // An index of git: why it has to go, empty if it may stay.
    std::function<std::string(size_t tree, const std::string& path)> index =
        [](size_t, const std::string&) { return std::string(); };
    // A socket that was met in a folder.
    std::function<void(size_t tree, const std::string& path)> socket = [](size_t,
                                                                          const std::string&) {};
  };

  // `only_read`: trees that the inside may read.
  Vetter(const files::ProtectedNames& names, const std::vector<files::WatchedTree>& trees,
         Watch watch, files::LinkRules links = {}, std::vector<std::string> only_read = {})
      : names_(names),
        trees_(trees),
        watch_(std::move(watch)),
        only_read_(std::move(only_read)),
        links_(std::move(links)) {
    for (const files::WatchedTree& tree : trees_)
      tree_paths_.push_back(tree.path);
  }

  // Quick: could anything at this path be protected? For every name that the watch tells.
  bool may_matter(const std::string& path, bool is_folder) const;

  // `path` and all that lies below it, and whatever waits.
  void look(size_t tree, const std::string& path, std::vector<Culprit>& culprits);

  // `path` alone, at once. What lies below it waits for `work`: a folder that was moved can hold
  // hundred thousands, and whoever moves it to and fro would keep us from seeing anything else.
  void note(size_t tree, const std::string& path, std::vector<Culprit>& culprits);
  // What lies at the top of a tree under a protected name; nothing below it.
  void look_at_names(size_t tree, std::vector<Culprit>& culprits);
  // What leads away and lies in this folder itself.
  void look_for_links(size_t tree, const std::string& folder, std::vector<Culprit>& culprits);
  bool has_work() const { return !waiting_.empty(); }
  // Until then, by the monotonic clock. What lies near to what was noted comes first.
  void work(int64_t until, std::vector<Culprit>& culprits);

  // The last thing that could not be looked at, though it is there and the agent could reach it.
  std::optional<Error> take_trouble() { return std::exchange(trouble_, std::nullopt); }

  // Links that may stay and lead out of the trees, absolute, and where to.
  const std::map<std::string, std::string>& leading_out() const { return leading_out_; }

  // A remote on another machine, in a config that may stay; `config` is relative to the tree.
  struct MadeRemote {
    size_t tree;
    std::string config;
    git::AddedRemote remote;
  };
  // Met since this was asked last; each once, up to a number beyond which nobody reads them.
  std::vector<MadeRemote> take_made_remotes() { return std::exchange(made_remotes_, {}); }

  git::RemoteWays& ways() { return ways_; }
  // Links on the ways to remotes, at this path or below it.
  void look_at_ways(size_t tree, const std::string& path, std::vector<Culprit>& culprits) const;

  // In the end: what was vetted and stays, since it may have been written to, and every way.
  void look_again(std::vector<Culprit>& culprits);

 private:
  struct Met {
    size_t tree;
    std::string path;
    unsigned type;  // S_IFMT of it
  };

  struct Place {
    size_t below = 0;  // so many folders below what was noted
    size_t tree = 0;
    std::string path;

    auto operator<=>(const Place&) const = default;
  };

  void visit(const Place& place, std::vector<Culprit>& culprits);
  std::optional<Met> meet(size_t tree, const std::string& path);
  void enter(const Met& folder, std::vector<std::string>& below);
  std::optional<Fd> open_folder(size_t tree, const std::string& path);
  void note_trouble(size_t tree, const std::string& path, Error error);
  std::optional<Culprit> judge(const Met& met);
  std::optional<Culprit> judge_in_git(const Met& met, const files::GitEntry& entry);
  std::optional<Culprit> judge_git_text(const Met& met, const files::GitEntry& entry,
                                        const std::string& text);
  void note_remotes(const Met& met, const std::vector<git::AddedRemote>& remotes);
  std::optional<Culprit> judge_by_name(const Met& met);
  // vet_tops.cc
  bool may_lie_below_top(std::string_view path) const;
  bool is_new_top(size_t tree, const std::string& folder, bool of_worktrees);
  bool says_the_same(const Met& met, std::string_view rest);
  std::optional<Culprit> judge_below_top(const Met& met);
  void look_below_top(const Place& git);
  std::string judge_worktree(const Met& config, const std::string& target);
  std::optional<Culprit> judge_content(const Met& met, const std::string& rule);
  std::string link_target(const Met& met);
  // vet_links.cc
  std::optional<Culprit> judge_unnamed(const Met& met);
  std::optional<Culprit> judge_renamed(const Met& met);
  std::optional<Culprit> judge_way(const Met& met, const std::string& target, bool is_known);
  void rename(size_t tree, const std::string& end, const std::string& link);
  bool lies_in_git(size_t tree, const std::string& path);
  bool is_bare_folder(size_t tree, const std::string& folder);
  const files::GitEntry* bare_step(const Met& met);
  const files::GitEntry* bare_entry(size_t tree, const std::string& folder);
  void judge_bare(const Met& met, std::vector<Culprit>& culprits);
  Result<std::string> read(const Met& met) const;
  std::string absolute(const Met& met) const { return trees_[met.tree].whole(met.path); }

  const files::ProtectedNames& names_;
  const std::vector<files::WatchedTree>& trees_;
  Watch watch_;
  std::vector<std::string> tree_paths_, only_read_;
  git::RemoteWays ways_;
  FolderReader reader_;
  std::set<Place> waiting_;
  files::LinkRules links_;
  // Folders of packages that have a name elsewhere: by tree and path, those names.
  std::map<std::pair<size_t, std::string>, std::set<std::string>> renamed_;
  std::map<std::string, std::string> leading_out_;
  std::set<std::pair<size_t, std::string>> passed_;
  std::vector<MadeRemote> made_remotes_;
  std::set<std::string> met_remotes_;
  std::optional<Error> trouble_;
};

// By its text: a link at this absolute path may give a name to what lies in packages.
bool may_rename(const std::string& link, const std::string& target);

}  // namespace ringwall::broker
