// A tree and what an index remembers of it from earlier walks. Folders are entered by their names,
// one by one from the top, so that one that is as it was need only be asked for its times.
//
// An index has `folders`, of which the first is the top, name_of(folder) and text_size(). A folder
// of it has `inode`, `ctime` (0: not known well enough, list it again), its children side by side
// from `first_child` on, and forget_content().
#pragma once

#include <cerrno>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/walk_path.h"

namespace ringwall {

struct WalkStep {
  uint32_t folder;  // in the index
  uint32_t parent;
  uint32_t depth;
};

class IndexedWalk {
 public:
  // A tree in which folders go is searched again: one that moved may have been missed.
  static constexpr int kMostPasses = 20;

  // `purpose` follows "cannot search …" in messages.
  explicit IndexedWalk(int tree, std::string_view purpose = {})
      : tree_(tree), purpose_(purpose), path_(tree) {}

  // Before the first pass; gives what the top is.
  Result<Mark> begin();

  // Calls `visit(step)` for every folder, each before those in it, with path() there.
  template <class Index, class Visit>
  Status pass(Index& index, Visit&& visit);
  // In the last pass a folder was gone when it was to be entered.
  bool has_lost_folder() const { return has_lost_; }
  Error still_changing() const;

  WalkPath& path() { return path_; }
  const WalkPath& path() const { return path_; }
  const Moment& moment() const { return moment_; }  // when the pass began
  // Of this filesystem, ctimes of folders tell of every change.
  bool remembers() const { return remembers_; }

  // True if a folder is as it was when note() saw it.
  template <class Folder>
  bool is_as_noted(const Folder& folder, const Mark& mark) const {
    return S_ISDIR(mark.mode) && mark.device == device_ && mark.inode == folder.inode &&
           mark.ctime == folder.ctime;
  }
  // `mark` was read before the folder was listed.
  template <class Folder>
  void note(Folder& folder, const Mark& mark) const {
    bool is_known = moment_.is_settled(mark.ctime) && remembers_ && mark.device == device_;
    folder.inode = mark.inode;
    folder.ctime = is_known ? mark.ctime : 0;
  }

  // For a folder that cannot be looked at or listed; takes errno as it stands.
  template <class Index>
  Status miss(Index& index, const WalkStep& step);

  // For messages.
  std::string name_of_place() const;

 private:
  // Within what an index can count; far beyond what anybody works on.
  static constexpr size_t kMostFolders = 8'000'000;
  static constexpr size_t kMostText = size_t{1} << 30;

  std::string name_of_tree() const;
  bool is_closed_to_us(const WalkStep& step);
  Status judge_miss(const WalkStep& step, int err);

  int tree_;
  std::string purpose_;
  WalkPath path_;
  uint64_t device_ = 0;
  bool remembers_ = false;
  Moment moment_;
  std::vector<WalkStep> steps_;
  bool has_lost_ = false;
};

template <class Index, class Visit>
Status IndexedWalk::pass(Index& index, Visit&& visit) {
  moment_ = Moment();
  has_lost_ = false;
  steps_.assign(1, {0, 0, 0});
  while (!steps_.empty()) {
    WalkStep step = steps_.back();
    steps_.pop_back();
    bool is_there = step.depth == 0
                        ? (path_.leave_to(0), true)
                        : path_.enter(step.depth, index.name_of(index.folders[step.folder]));
    TRY(is_there ? visit(step) : miss(index, step));
    if (index.folders.size() > kMostFolders || index.text_size() > kMostText)
      return fail(name_of_tree() + " holds too many folders", "choose a smaller one");
    const auto& now = index.folders[step.folder];
    for (uint32_t i = now.children; i > 0; i--)
      steps_.push_back({now.first_child + i - 1, step.folder, step.depth + 1});
  }
  return {};
}

template <class Index>
Status IndexedWalk::miss(Index& index, const WalkStep& step) {
  int err = errno;
  auto& folder = index.folders[step.folder];
  folder.ctime = 0;
  folder.forget_content();
  // EXDEV: moved out of the tree during the lookup.
  bool is_gone = err == ENOENT || err == ENOTDIR || err == ELOOP || err == EXDEV || err == EAGAIN;
  if (step.depth == 0 || !is_gone) return judge_miss(step, err);
  has_lost_ = true;  // removed, or renamed to where this pass has been already
  index.folders[step.parent].ctime = 0;
  return {};
}

// Calls `use(path, folder)` for every folder that an index has, from the top down; the top's path
// is empty. Nothing is allocated but one path, and a tree can be deeper than a stack. Stops when
// `use` says false.
template <class Index, class Use>
void visit_folders(const Index& index, Use&& use) {
  struct Open {
    uint32_t next, end;
    size_t length;  // of the path of the folder around
  };
  std::string path;
  const auto& top = index.folders[0];
  if (!use(std::as_const(path), top)) return;
  std::vector<Open> open{{top.first_child, top.first_child + top.children, 0}};
  while (!open.empty()) {
    Open& last = open.back();
    if (last.next == last.end) {
      open.pop_back();
      continue;
    }
    const auto& folder = index.folders[last.next++];
    path.resize(last.length);
    if (!path.empty()) path += '/';
    path += index.name_of(folder);
    if (!use(std::as_const(path), folder)) return;
    if (folder.children > 0)
      open.push_back({folder.first_child, folder.first_child + folder.children, path.size()});
  }
}

// The same from level to level, those near to the top first, and none whose path has `longest`
// characters or more. `use(path, from_above)` gives what those in the folder are told as
// `from_above`, which begins as false; nothing: stop.
template <class Index, class Use>
void visit_folders_by_level(const Index& index, size_t longest, Use&& use) {
  struct Next {
    uint32_t folder;
    bool from_above;
    std::string path;
  };
  std::deque<Next> waiting;
  waiting.push_back({0, false, {}});
  while (!waiting.empty()) {
    Next at = std::move(waiting.front());
    waiting.pop_front();
    std::optional<bool> told = use(std::as_const(at.path), at.from_above);
    if (!told) return;
    const auto& folder = index.folders[at.folder];
    for (uint32_t i = 0; i < folder.children; i++) {
      uint32_t child = folder.first_child + i;
      std::string_view name = index.name_of(index.folders[child]);
      if (at.path.size() + 1 + name.size() >= longest) continue;
      std::string path;
      path.reserve(at.path.size() + 1 + name.size());
      path += at.path;
      if (!path.empty()) path += '/';
      path += name;
      waiting.push_back({child, *told, std::move(path)});
    }
  }
}

}  // namespace ringwall
