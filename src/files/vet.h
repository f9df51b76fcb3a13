// Looks at what appeared while a run goes on: whether its name is protected, and if so, whether
// what lies there can run or redirect anything outside. What git itself writes stays; see
// git_vet.h. Works by descriptor beneath the granted trees, follows no link, reads each file once.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "files/folder_reader.h"
#include "files/protected.h"

namespace ringwall::files {

struct WatchedTree {
  Fd folder;
  std::string path;  // absolute
};

// What has to go.
struct Culprit {
  size_t tree = 0;
  std::string path;  // relative to the tree
  std::string rule;
  std::string why;
};

class Vetter {
 public:
  // `watch` is called for each folder that is met, before it is listed.
  using Watch = std::function<void(size_t tree, int folder, const std::string& path)>;

  Vetter(const ProtectedNames& names, const std::vector<WatchedTree>& trees, Watch watch)
      : names_(names), trees_(trees), watch_(std::move(watch)) {
    for (const WatchedTree& tree : trees_)
      tree_paths_.push_back(tree.path);
  }

  // Quick: could anything at this path be protected? For every name that the watch tells.
  bool may_matter(const std::string& path, bool is_folder) const;

  // `path` and all that lies below it.
  void look(size_t tree, const std::string& path, std::vector<Culprit>& culprits);

  // What was vetted and stays: it may be written to, so it is looked at again in the end.
  const std::set<std::pair<size_t, std::string>>& passed() const { return passed_; }

 private:
  struct Met {
    size_t tree;
    std::string path;
    unsigned type;  // S_IFMT of it
  };

  std::optional<Met> meet(size_t tree, const std::string& path) const;
  void enter(const Met& folder, std::vector<std::string>& below);
  bool open_up(const Met& folder) const;
  std::optional<Culprit> judge(const Met& met);
  std::optional<Culprit> judge_in_git(const Met& met, const GitEntry& entry);
  std::optional<Culprit> judge_git_text(const Met& met, const GitEntry& entry,
                                        const std::string& text);
  std::optional<Culprit> judge_hook_at(const Met& met) const;
  void judge_bare(const Met& met, std::vector<Culprit>& culprits);
  Result<std::string> read(const Met& met) const;
  std::string absolute(const Met& met) const;

  const ProtectedNames& names_;
  const std::vector<WatchedTree>& trees_;
  Watch watch_;
  std::vector<std::string> tree_paths_;
  FolderReader reader_;
  std::set<std::pair<size_t, std::string>> passed_;
};

// Folders of git's own in which nothing can be planted: objects, logs and the like.
bool holds_only_data(std::string_view path);

}  // namespace ringwall::files
